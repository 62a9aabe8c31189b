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
