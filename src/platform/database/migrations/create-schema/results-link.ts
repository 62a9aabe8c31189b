/**
 * A link to a page of a campaign: its results, or the preview of its questions. The token in its
 * URL is never stored.
 */
export const resultsLink = [
  `CREATE TABLE results_link (
    company_id uuid NOT NULL,
    post_id text NOT NULL,
    kind text NOT NULL,
    -- One of the campaign's places for links of this kind, so that the number of links is a rule of one row. A
    -- new link takes the place of one that has ended.
    slot smallint NOT NULL,
    -- The order of creation, whatever the clocks of the instances show.
    id bigint GENERATED ALWAYS AS IDENTITY,
    link_id text NOT NULL,
    token_hash bytea NOT NULL,
    -- Null for all.
    cohorts smallint[],
    -- What the page shows besides the results.
    show text[] NOT NULL DEFAULT '{}',
    -- The campaign that the page compares with.
    compare text,
    -- Null for that of the questions.
    language text,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    CONSTRAINT results_link_pkey PRIMARY KEY (company_id, post_id, kind, slot),
    CONSTRAINT results_link_id_unique UNIQUE (company_id, link_id),
    CONSTRAINT results_link_kind_known CHECK (kind IN ('results', 'preview')),
    CONSTRAINT results_link_maximum CHECK (slot BETWEEN 1 AND 20),
    CONSTRAINT results_link_cohorts_known
      CHECK (cohorts <@ '{1,2,3,4,5}'::smallint[] AND cardinality(cohorts) > 0),
    CONSTRAINT results_link_show_known CHECK (
      show <@ '{crosstabs,texts,downloads}'::text[] AND (kind = 'results' OR show = '{}')
    ),
    CONSTRAINT results_link_compare CHECK (kind = 'results' OR compare IS NULL),
    CONSTRAINT results_link_lifetime CHECK (
      expires_at > created_at AND expires_at <= created_at + interval '8760 hours'
    )
  )`,
  // A link is looked up by the hash of its token, before its company is known.
  `COMMENT ON TABLE results_link IS 'local'`,
  `CREATE UNIQUE INDEX results_link_token_unique ON results_link (token_hash)`,
  `CREATE UNIQUE INDEX results_link_list ON results_link (company_id, id)`,
];
