-- Removes transfers of a campaign that are in an archive, and adds them to the campaign's carried
-- balance. It returns how many it has removed: 0 if the campaign is not closed any more, see
-- closed_campaigns. The balance grows by the very rows that the statement removes, so a transfer is
-- always in one of the two, also if runs work on the same campaign. A transfer of another amount or
-- time is not the one in the archive, and stays: the database was restored, and has paid again.
--
-- Whatever moves money in the campaign, or starts it, waits for the campaign's lock.
CREATE OR REPLACE FUNCTION carry_transfers(
  company uuid, post text, participations uuid[], kinds text[], amounts numeric[],
  times timestamptz[], older timestamptz
) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_mergejoin = off AS $$
DECLARE
  campaign_of bigint;
  carried integer;
BEGIN
  SELECT c.id INTO campaign_of FROM campaign AS c
  WHERE c.company_id = company AND c.post_id = post
  FOR NO KEY UPDATE;
  IF closed_campaigns(company, ARRAY[campaign_of], older) IS NULL THEN
    RETURN 0;
  END IF;
  -- What refuse_transfer_change looks at.
  PERFORM set_config('ledger.carries', 'on', true);
  WITH removed AS (
    DELETE FROM transfer AS t
    USING unnest(participations, kinds, amounts, times) AS k (participation_id, kind, amount, moment)
    WHERE t.company_id = company AND t.campaign_id = campaign_of
      AND t.participation_id = k.participation_id AND t.kind = k.kind
      AND t.amount = k.amount AND t.created_at = k.moment
    RETURNING t.kind, t.amount, t.released, t.created_at
  ), added AS (
    INSERT INTO carried_balance AS b
      (company_id, campaign_id, kind, transfers, amount, released, first_at, last_at)
    SELECT company, campaign_of, r.kind, count(*), sum(r.amount), sum(r.released),
      min(r.created_at), max(r.created_at)
    FROM removed AS r GROUP BY r.kind
    ON CONFLICT (company_id, campaign_id, kind) DO UPDATE
    SET transfers = b.transfers + excluded.transfers, amount = b.amount + excluded.amount,
      released = b.released + excluded.released,
      first_at = least(b.first_at, excluded.first_at),
      last_at = greatest(b.last_at, excluded.last_at)
  )
  SELECT count(*) INTO carried FROM removed;
  PERFORM set_config('ledger.carries', '', true);
  RETURN carried;
END $$;
