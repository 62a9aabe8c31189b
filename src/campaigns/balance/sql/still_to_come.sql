-- What a live campaign can still cost besides what is held: the largest reward for each place, or what its
-- budget leaves, if that is less. Once it has 200 responses, no more than the 95th percentile of what as
-- many others cost whose attention is as that of these: a normal distribution, with the variance of the
-- mean of the responses so far in it. Null without limits.
CREATE OR REPLACE FUNCTION still_to_come(company uuid, campaign_of bigint) RETURNS numeric
LANGUAGE plpgsql STABLE AS $$
DECLARE
  enough CONSTANT integer := 200;
  percentile_95 CONSTANT numeric := 1.6448536;
  c campaign%ROWTYPE;
  g campaign_progress%ROWTYPE;
  places numeric;
  responses numeric;
  mean numeric;
  variance numeric;
BEGIN
  SELECT * INTO c FROM campaign AS o WHERE o.company_id = company AND o.id = campaign_of;
  SELECT * INTO g FROM campaign_progress AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of;
  places := g.max_responses - g.taken;
  IF places IS NULL THEN
    RETURN g.budget - g.held - g.spent;
  END IF;
  SELECT sum(s.count), sum(s.count * s.reward) / nullif(sum(s.count), 0),
    sum(s.count * s.reward * s.reward) / nullif(sum(s.count), 0)
  INTO responses, mean, variance
  FROM tally AS t,
    unnest(
      ARRAY[t.cohort_1, t.cohort_2, t.cohort_3, t.cohort_4, t.cohort_5], c.cohort_rewards::numeric[]
    ) AS s (count, reward)
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.cell = 0
    AND t.kind = 'submitted' AND t.item = '' AND t.key = '';
  variance := greatest(0, variance - mean * mean);
  RETURN least(g.budget - g.held - g.spent, places * c.largest_reward, CASE
    WHEN responses >= enough THEN round(
      places * mean + percentile_95 * sqrt(places * variance * (1 + places / responses)),
      currency_places(c.currency))
  END);
END $$;
