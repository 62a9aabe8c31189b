/**
 * How far a campaign is, beside its row, where every response would increment its version. The
 * limits are copies of the campaign's own, written by its functions only. `check_campaign_progress`
 * compares them with the counters, so that neither a response nor an update of the limits breaks
 * them.
 *
 * A campaign gets its row with its first limit, or with its first response.
 */
export const campaignProgress = [
  `CREATE TABLE campaign_progress (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    max_responses integer,
    budget numeric(12, 2),
    -- Places that were taken and not given back; answered ones among them.
    taken counter NOT NULL DEFAULT 0,
    answered counter NOT NULL DEFAULT 0,
    -- Answered ones whose reward was taken back, and places that were given back.
    reversed counter NOT NULL DEFAULT 0,
    abandoned counter NOT NULL DEFAULT 0,
    expired counter NOT NULL DEFAULT 0,
    -- Money for those who are answering, and money that was paid.
    held total_amount NOT NULL DEFAULT 0,
    spent total_amount NOT NULL DEFAULT 0,
    -- Those who were paid although the screening questions refused them, and what of "spent" that is.
    screened_out counter NOT NULL DEFAULT 0,
    screen_out_spent total_amount NOT NULL DEFAULT 0,
    -- What of the company's balance is for the campaign, "held" and "spent" included; null if the
    -- campaign does not use a balance.
    allotment numeric(20, 2),
    -- What of "spent" are bonuses, and how many responses were ever disputed.
    bonus_spent total_amount NOT NULL DEFAULT 0,
    disputed counter NOT NULL DEFAULT 0,
    -- The time of the last event of a response.
    logged_at timestamptz NOT NULL DEFAULT '-infinity',
    CONSTRAINT campaign_progress_pkey PRIMARY KEY (company_id, campaign_id),
    CONSTRAINT campaign_progress_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id)
  )`,
  `COMMENT ON TABLE campaign_progress IS 'distributed by company_id'`,
];
