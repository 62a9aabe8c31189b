/**
 * The log: every change of a campaign or an API key, written by triggers in the transaction of the
 * change. Histories and the event feed read it.
 *
 * `seq` is null until the sequencer numbers the row; nothing else of a row ever changes. The indexes
 * on it are partial, so that an insert fills one of them only.
 */
export const event = [
  `CREATE TABLE event (
    company_id text NOT NULL,
    subject text NOT NULL,
    version integer NOT NULL,
    type text NOT NULL,
    seq bigint,
    actor text NOT NULL,
    changes jsonb NOT NULL,
    -- Never before the subject's earlier events, even if the clock was set back.
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT event_pkey PRIMARY KEY (company_id, subject, version, type),
    CONSTRAINT event_type_known CHECK (
      type IN ('campaign.created', 'campaign.updated', 'campaign.started', 'campaign.stopped',
        'campaign.completed', 'campaign.archived', 'campaign.unarchived',
        'campaign.questions_replaced', 'campaign.cohort_rewards_updated',
        'api_key.generated', 'api_key.updated', 'api_key.rotated', 'api_key.revoked',
        'webhook.tested', 'webhook.disabled', 'response.submitted', 'response.reversed')
    )
  )`,
  `COMMENT ON TABLE event IS 'distributed by company_id'`,
  `CREATE UNIQUE INDEX event_feed ON event (company_id, seq) WHERE seq IS NOT NULL`,
  `CREATE INDEX event_unsequenced ON event (company_id, created_at) WHERE seq IS NULL`,
  `CREATE FUNCTION field_change(field text, before anyelement, after anyelement) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN before IS DISTINCT FROM after
        THEN jsonb_build_object(field, jsonb_build_object('old', before, 'new', after))
      ELSE '{}'
    END
  $$`,
];

interface Recorder {
  table: string;
  name: 'created' | 'updated';
  /** Declarations of PL/pgSQL variables. */
  declare?: string;
  /** Statements of the function. */
  body: string;
}

/**
 * A trigger that records changes of a table's rows, and its function. Each change increments a row's
 * `version`; an update that leaves the version as it was has changed nothing. The trigger fires after
 * the checks of the row, so a refused change records nothing.
 *
 * Transactions are short, so what counts is how many expressions a function evaluates, not how long
 * one takes: each is prepared again in every transaction. A further trigger with a condition costs
 * even more.
 */
export function recorder({ table, name, declare = '', body }: Recorder): string[] {
  const event = name === 'created' ? 'INSERT' : 'UPDATE';
  const condition = name === 'created' ? '' : 'WHEN (NEW.version <> OLD.version)';
  return [
    `CREATE FUNCTION record_${table}_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    ${declare && `DECLARE ${declare}`}
    BEGIN
      ${body}
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER ${table}_${name} AFTER ${event} ON ${table}
      FOR EACH ROW ${condition} EXECUTE FUNCTION record_${table}_${name}()`,
  ];
}

interface RecordedEvent {
  /** The environment whose log it is part of; the row's company by default. */
  company?: string;
  /** The column with the identifier that clients see. */
  subject: string;
  /** Expressions of the event's values. Citus refuses CASE in them. */
  type: string;
  changes: string;
  at: string;
}

/** The statement of a trigger function that writes an event of the row `NEW`. */
export function record({
  company = 'NEW.company_id',
  subject,
  type,
  changes,
  at,
}: RecordedEvent): string {
  return `INSERT INTO event (company_id, subject, version, type, actor, changes, created_at)
    VALUES (${company}, NEW.${subject}, NEW.version, ${type}, NEW.updated_by, ${changes}, ${at});`;
}

/** An object of the row's values in these columns. */
export function valuesOf(columns: readonly string[]): string {
  return `jsonb_build_object(${columns.map((column) => `'${column}', NEW.${column}`).join(', ')})`;
}

/** An object of the old and new value of each of these columns that changed. */
export function changesOf(columns: readonly string[]): string {
  return columns
    .map((column) => `field_change('${column}', OLD.${column}, NEW.${column})`)
    .join(' || ');
}

/** A condition that is true if one of these columns changed. */
export function changed(columns: readonly string[]): string {
  const of = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
  return `${of('NEW')} IS DISTINCT FROM ${of('OLD')}`;
}
