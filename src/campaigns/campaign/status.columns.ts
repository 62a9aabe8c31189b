/*
 * What `status.rules.ts` says of a campaign that is due, in SQL on the columns of `campaign`. A
 * test compares the two.
 */

/** Whether the stored status holds now. */
export const NOT_DUE = '(due_at IS NULL OR due_at > statement_timestamp())';

/** Whether the clock has changed the state since it was stored. */
export const DUE = 'due_at <= statement_timestamp()';

/** The status of a row that is due: its start has come, or its end has passed. */
export const DUE_STATUS = `
  CASE WHEN due_at = starts_at AND (ends_at <= statement_timestamp()) IS NOT TRUE THEN 'live'
    ELSE 'completed'
  END`;

/**
 * Why nobody can begin a live campaign at the moment: the whole budget is smaller than the largest
 * reward, or else those who are answering hold what is left, or else the company's balance does not
 * pay for it. Null if somebody can begin. Only a campaign with limits, or one that pays with a
 * balance, has its counters read.
 *
 * For the table `campaign` of a statement whose first parameter is the company: a cluster does not
 * conclude it from the campaign.
 */
export const BLOCKED_BY = `
  CASE WHEN (campaign.is_live OR campaign.due_at <= statement_timestamp())
    AND (num_nonnulls(campaign.max_responses, campaign.budget) > 0 OR campaign.is_prepaid)
  THEN (
    SELECT CASE
      WHEN g.budget < campaign.largest_reward THEN 'budget_below_reward'
      WHEN NOT has_place(
        g.max_responses, g.budget, g.taken, g.held, g.spent, campaign.largest_reward
      ) THEN 'fully_held'
      WHEN g.held + g.spent + campaign.largest_reward > g.allotment THEN 'balance_low'
    END
    FROM campaign_progress AS g
    WHERE g.company_id = $1 AND g.campaign_id = campaign.id
  ) END`;
