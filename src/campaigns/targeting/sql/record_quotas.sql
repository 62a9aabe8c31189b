-- Writes an event for each quota of a campaign that has become filled, or is not filled any more. A
-- quota is filled by as many submissions as its limit; those who are answering may still leave. The
-- caller has locked the campaign.
CREATE OR REPLACE FUNCTION record_quotas(company uuid, campaign_of bigint) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  c record;
  changed record;
  logged timestamptz;
BEGIN
  FOR changed IN
    SELECT q.cell, q.quota_id, q.name, q.maximum, q.submitted, q.version + 1 AS version,
      NOT q.filled AS filled, (
        SELECT g.taken[q.cell] FROM cell_counts AS g
        WHERE g.company_id = company AND g.campaign_id = campaign_of
      ) AS taken
    FROM quota_cell AS q
    WHERE q.company_id = company AND q.campaign_id = campaign_of
      AND q.filled <> (q.submitted >= q.maximum)
    ORDER BY q.cell
  LOOP
    SELECT o.post_id, o.updated_at INTO c FROM campaign AS o
    WHERE o.company_id = company AND o.id = campaign_of;
    logged := greatest(clock_timestamp(), c.updated_at + interval '1 microsecond');
    -- Events are numbered by their times: this one comes after all others of the campaign.
    UPDATE campaign_progress AS g
    SET logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
    WHERE g.company_id = company AND g.campaign_id = campaign_of
    RETURNING g.logged_at INTO logged;
    UPDATE quota_cell AS q SET filled = changed.filled, version = changed.version
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = changed.cell;
    INSERT INTO unnumbered_event
      (company_id, subject, version, type, actor, changes, created_at)
    VALUES (company, changed.quota_id, changed.version,
      CASE WHEN changed.filled THEN 'quota.filled' ELSE 'quota.reopened' END, 'service',
      jsonb_build_object('post_id', c.post_id, 'name', changed.name, 'limit', changed.maximum,
        'taken', changed.taken, 'submitted', changed.submitted), logged);
  END LOOP;
END $$;
