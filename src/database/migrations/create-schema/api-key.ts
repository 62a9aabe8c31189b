import { changesOf, record, recorder, valuesOf } from './event';

/** The environment that the key is for: test keys are part of the test environment's log. */
const SET_ENVIRONMENT = `
      environment := CASE NEW.mode
        WHEN 'test' THEN regexp_replace(NEW.company_id, '^co_', 'test_') ELSE NEW.company_id END;`;

const recorded = (type: string, changes: string, at: string) =>
  record({ company: 'environment', subject: 'key_id', type, changes, at });

/** An API key; the secret itself is never stored. */
export const apiKey = [
  `CREATE TABLE api_key (
    key_id text CONSTRAINT api_key_pkey PRIMARY KEY,
    -- The order of creation, whatever the clocks of the instances show.
    id bigint GENERATED ALWAYS AS IDENTITY,
    company_id text NOT NULL,
    mode text NOT NULL DEFAULT 'live',
    key_hash bytea NOT NULL,
    prefix text NOT NULL,
    name text,
    scopes text[] NOT NULL,
    expires_at timestamptz(3),
    -- A key with this is refused, whatever the clock shows.
    revoked_at timestamptz(3),
    -- A rotated key is refused from then on.
    overlap_ends_at timestamptz(3),
    -- The key_id that a rotation gave.
    replaced_by text,
    last_used_at timestamptz(3),
    version integer NOT NULL DEFAULT 1,
    updated_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT api_key_company_fkey
      FOREIGN KEY (company_id) REFERENCES company (company_id) ON DELETE CASCADE,
    CONSTRAINT api_key_mode_known CHECK (mode IN ('live', 'test')),
    CONSTRAINT api_key_scopes_known CHECK (
      scopes <@ ARRAY['campaigns:read', 'campaigns:write', 'events:read',
      'webhooks:read', 'webhooks:write', 'responses:read', 'ledger:read']
      AND cardinality(scopes) > 0
    )
  )`,
  // A key is looked up by its hash, before its company is known.
  `COMMENT ON TABLE api_key IS 'local'`,
  `CREATE UNIQUE INDEX api_key_hash_unique ON api_key (key_hash)`,
  `CREATE UNIQUE INDEX api_key_list ON api_key (company_id, id)`,

  // Every process caches keys for a few seconds. This notifies all processes of every change.
  `CREATE FUNCTION notify_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('key_changed', OLD.key_id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER api_key_changed
    AFTER UPDATE OF scopes, expires_at, revoked_at, overlap_ends_at OR DELETE ON api_key
    FOR EACH ROW EXECUTE FUNCTION notify_key_changed()`,

  // Using a key does not change it.
  `CREATE FUNCTION advance_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (NEW.name, NEW.scopes, NEW.expires_at, NEW.revoked_at, NEW.overlap_ends_at)
      IS NOT DISTINCT FROM
        (OLD.name, OLD.scopes, OLD.expires_at, OLD.revoked_at, OLD.overlap_ends_at)
    THEN
      RETURN OLD;
    END IF;
    NEW.version := OLD.version + 1;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER api_key_advanced
    BEFORE UPDATE OF name, scopes, expires_at, revoked_at, overlap_ends_at ON api_key
    FOR EACH ROW EXECUTE FUNCTION advance_api_key()`,
  ...recorder({
    table: 'api_key',
    name: 'created',
    declare: 'environment text;',
    body: `${SET_ENVIRONMENT}
      ${recorded(
        "'api_key.generated'",
        `jsonb_strip_nulls(${valuesOf(['name', 'prefix', 'scopes', 'expires_at'])})`,
        'NEW.created_at',
      )}`,
  }),
  ...recorder({
    table: 'api_key',
    name: 'updated',
    declare: 'type text; moment timestamptz; environment text;',
    body: `${SET_ENVIRONMENT}
      type := CASE
        WHEN NEW.replaced_by IS DISTINCT FROM OLD.replaced_by THEN 'api_key.rotated'
        WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN 'api_key.revoked'
        ELSE 'api_key.updated'
      END;
      SELECT greatest(clock_timestamp(), max(e.created_at)) INTO moment
      FROM event AS e WHERE e.company_id = environment AND e.subject = NEW.key_id;
      ${recorded(
        'type',
        changesOf(['name', 'scopes', 'expires_at', 'revoked_at', 'overlap_ends_at']),
        'moment',
      )}`,
  }),
];
