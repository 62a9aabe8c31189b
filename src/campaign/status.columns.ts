/*
 * The rules of `status.rules.ts` in SQL, on the columns of `campaign`. A test compares the two.
 */

/** The status as it is stored: an expression of the list's indexes. */
export const STORED_STATUS = `
  CASE WHEN archived THEN 'archived'
    WHEN exhausted_by IS NOT NULL OR (ends_at IS NOT NULL AND due_at IS NULL) THEN 'completed'
    WHEN is_live THEN 'live'
    WHEN due_at = starts_at THEN 'scheduled'
    WHEN stop_reason IS NOT NULL THEN 'paused'
    ELSE 'draft'
  END`;

/** Whether the stored status holds now. */
export const NOT_DUE = '(due_at IS NULL OR due_at > statement_timestamp())';

/** Whether the clock has changed the state since it was stored. */
export const DUE = 'due_at <= statement_timestamp()';

/** The status of a row that is due: its start has come, or its end has passed. */
export const DUE_STATUS = `
  CASE WHEN due_at = starts_at AND (ends_at <= statement_timestamp()) IS NOT TRUE THEN 'live'
    ELSE 'completed'
  END`;

/** The rewards of the five cohorts, as columns of a table or its alias. */
export const rewardColumns = (table: string) =>
  [1, 2, 3, 4, 5].map((cohort) => `${table}.cohort_${cohort}_reward`).join(', ');

/**
 * Why nobody can begin a live campaign at the moment: those who are answering hold what is left, or
 * the budget never paid the largest reward. Null if somebody can begin. Only a campaign with limits
 * has its counters read.
 *
 * For the table `campaign` of a statement whose first parameter is the company: a cluster does not
 * conclude it from the campaign.
 */
export const BLOCKED_BY = `
  CASE WHEN (campaign.is_live OR campaign.due_at <= statement_timestamp())
    AND num_nonnulls(campaign.max_responses, campaign.budget) > 0
  THEN (
    SELECT CASE
      WHEN g.taken >= g.max_responses THEN 'fully_held'
      WHEN (g.held + g.spent + greatest(${rewardColumns('campaign')})
        <= g.budget) IS NOT FALSE THEN NULL
      WHEN g.held > 0 THEN 'fully_held'
      ELSE 'budget_below_reward'
    END
    FROM campaign_progress AS g
    WHERE g.company_id = $1 AND g.campaign_id = campaign.id
  ) END`;
