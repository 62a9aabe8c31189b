/**
 * When PostgreSQL vacuums and analyses the tables that grow without end, and the one that events
 * pass through: after 2 % of the rows have changed instead of 20 %. Each participation is updated
 * once, and the space of the old row and of its index entries is then free for the next rows,
 * before the table has grown by as much. The statistics stay true for the newest rows, which are
 * the ones that are read.
 */
export const autovacuum = [
  'event',
  'unnumbered_event',
  'participation',
  'transfer',
  'campaign',
  'webhook_delivery',
  'idempotency_record',
].map(
  (table) => `ALTER TABLE ${table} SET (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
  )`,
);
