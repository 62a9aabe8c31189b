/** The columns of the rewards of the five cohorts. */
export const REWARDS = [1, 2, 3, 4, 5].map((cohort) => `cohort_${cohort}_reward`);

/** The rewards of a row of `campaign`, as a list of expressions. */
export const rewardsOf = (row: string) => REWARDS.map((reward) => `${row}.${reward}`).join(', ');

/** Sets the limits of a row of `campaign`, in a trigger. */
export function setLimits(row: string): string {
  return `INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
    VALUES (${row}.company_id, ${row}.id, ${row}.max_responses, ${row}.budget)
    ON CONFLICT (company_id, campaign_id) DO UPDATE
    SET max_responses = excluded.max_responses, budget = excluded.budget;`;
}

/**
 * Reads what has run out for a row of `campaign`: null while a further response is possible. A budget
 * is spent when nothing is held, and what is left would not pay the largest reward.
 */
export function readExhaustedBy(row: string): string {
  return `SELECT CASE
      WHEN p.answered >= p.max_responses THEN 'max_responses_reached'
      WHEN p.spent > 0 AND p.held = 0 AND p.budget - p.spent < greatest(${rewardsOf(row)})
        THEN 'budget_spent'
    END
    INTO ${row}.exhausted_by
    FROM campaign_progress AS p
    WHERE p.company_id = ${row}.company_id AND p.campaign_id = ${row}.id;`;
}

/**
 * How far a campaign is, beside its row, where every response would increment its version. The
 * limits are copies of the campaign's own, written by its triggers only: the checks compare them
 * with the counters, so neither a response nor an update of the limits can break them.
 *
 * A campaign gets its row with its first limit, or with its first response.
 */
export const campaignProgress = [
  `CREATE TABLE campaign_progress (
    company_id text NOT NULL,
    campaign_id bigint NOT NULL,
    max_responses integer,
    budget numeric(12, 2),
    -- Places that were taken and not given back; answered ones among them.
    taken integer NOT NULL DEFAULT 0,
    answered integer NOT NULL DEFAULT 0,
    -- Money for those who are answering, and money that was paid.
    held numeric(20, 2) NOT NULL DEFAULT 0,
    spent numeric(20, 2) NOT NULL DEFAULT 0,
    CONSTRAINT campaign_progress_pkey PRIMARY KEY (company_id, campaign_id),
    CONSTRAINT campaign_progress_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT campaign_progress_within_max_responses CHECK (taken <= max_responses),
    CONSTRAINT campaign_progress_within_budget CHECK (held + spent <= budget),
    CONSTRAINT campaign_progress_answered_taken CHECK (answered BETWEEN 0 AND taken),
    CONSTRAINT campaign_progress_not_negative CHECK (held >= 0 AND spent >= 0)
  )`,
  `COMMENT ON TABLE campaign_progress IS 'distributed by company_id'`,
];
