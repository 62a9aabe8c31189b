/**
 * The payments whose events are in an archive, besides those for submissions, which are in
 * `archived_submission`: the file of a settlement is made of them.
 */
export const archivedPayment = [
  `CREATE TABLE archived_payment (
    company_id uuid NOT NULL,
    seq bigint NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    kind text NOT NULL,
    -- Negative for what was taken back.
    amount numeric(12, 2) NOT NULL,
    paid_at timestamptz(3) NOT NULL,
    CONSTRAINT archived_payment_pkey PRIMARY KEY (company_id, seq)
  )`,
  `COMMENT ON TABLE archived_payment IS 'distributed by company_id'`,
];
