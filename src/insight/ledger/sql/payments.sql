-- What respondents of a company were paid, and what was taken back from them, in the order of the log:
-- what has a number after "after", up to "through". If "through" is null, also what has no number yet.
-- An event is a payment if its type is in the list, which says of which kind it is and whether the
-- amount, "reward" or "amount" with "bonus" in its changes, was paid or taken back. A payment of nothing is none.
--
-- Once an event is in an archive, archived_submission has what it was about, or archived_payment. So
-- the payments of a range are the same for ever: the time of a submission is that of its participation,
-- and everything else is in the event.
CREATE OR REPLACE FUNCTION payments(company uuid, after bigint, through bigint)
RETURNS TABLE (seq bigint, platform text, campaign_id bigint, post_id text, participation_id uuid,
  kind text, amount numeric, paid_at timestamptz)
LANGUAGE plpgsql STABLE
-- Each event of the range leads to one campaign and one participation, found by their whole keys. A
-- LIMIT keeps each look-up by itself: a join could read all of the company for each event.
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
  SELECT m.seq, p.platform, m.campaign, c.post_id, m.participation, m.kind,
    coalesce(m.amount, p.reward), coalesce(m.paid_at, p.closed_at)::timestamptz
  FROM (
    SELECT e.seq, (
        SELECT o.id FROM campaign AS o
        WHERE o.company_id = company AND o.post_id = e.changes ->> 'post_id' LIMIT 1
      ) AS campaign, e.subject AS participation, k.kind,
      k.sign * (coalesce(e.changes ->> 'reward', e.changes ->> 'amount', '0')::numeric(12, 2)
        + coalesce(e.changes ->> 'bonus', '0')::numeric(12, 2)) AS amount,
      CASE WHEN k.kind <> 'settle' THEN date_trunc('milliseconds', e.created_at) END AS paid_at
    FROM (
      SELECT o.seq, o.subject, o.type, o.changes, o.created_at FROM event AS o
      WHERE o.company_id = company AND o.seq > after
        AND o.seq <= coalesce(through, 9223372036854775807)
      UNION ALL
      SELECT NULL, u.subject, u.type, u.changes, u.created_at FROM unnumbered_event AS u
      WHERE u.company_id = company AND through IS NULL
    ) AS e
    CROSS JOIN LATERAL (
      SELECT v.kind, v.sign FROM (VALUES
        ('response.submitted', 'settle', 1),
        ('response.reversed', 'reverse', -1),
        ('participation.screened_out', 'screen_out', 1),
        ('response.bonus_paid', 'bonus', 1)
      ) AS v (type, kind, sign)
      WHERE v.type = e.type
    ) AS k
    UNION ALL
    SELECT a.seq, a.campaign_id, a.participation_id, 'settle', NULL, NULL
    FROM archived_submission AS a
    WHERE a.company_id = company AND a.seq > after
      AND a.seq <= coalesce(through, 9223372036854775807)
    UNION ALL
    SELECT a.seq, a.campaign_id, a.participation_id, a.kind, a.amount, a.paid_at
    FROM archived_payment AS a
    WHERE a.company_id = company AND a.seq > after
      AND a.seq <= coalesce(through, 9223372036854775807)
  ) AS m
  CROSS JOIN LATERAL (
    SELECT o.platform, o.reward, o.closed_at FROM participation AS o
    WHERE o.company_id = company AND o.campaign_id = m.campaign
      AND o.participation_id = m.participation LIMIT 1
  ) AS p
  CROSS JOIN LATERAL (
    SELECT o.post_id FROM campaign AS o
    WHERE o.company_id = company AND o.id = m.campaign LIMIT 1
  ) AS c
  WHERE coalesce(m.amount, p.reward) <> 0
  ORDER BY m.seq;
END $$;
