/**
 * The references of bonuses, which a company never uses twice. The amount is in the participation,
 * and in its transfer. A participation has at most one bonus.
 */
export const bonus = [
  `CREATE TABLE bonus (
    company_id uuid NOT NULL,
    -- The company's own name for the bonus.
    bonus_ref bonus_reference NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    paid_at timestamptz(3) NOT NULL,
    CONSTRAINT bonus_pkey PRIMARY KEY (company_id, bonus_ref),
    CONSTRAINT bonus_once UNIQUE (company_id, participation_id),
    CONSTRAINT bonus_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id)
      REFERENCES participation (company_id, campaign_id, participation_id)
  )`,
  `COMMENT ON TABLE bonus IS 'distributed by company_id'`,
];
