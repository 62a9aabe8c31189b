/*
 * On a Citus cluster the tables are spread over its nodes. Where a table belongs is the table's
 * comment: `distributed by <column>`, `reference` (a copy on every node) or `local` (on the
 * coordinator). On plain PostgreSQL and on the embedded database the comments mean nothing.
 */

/** What runs a statement: a data source, a query runner or an entity manager. */
export interface Querying {
  query(statement: string, parameters?: unknown[]): Promise<unknown>;
}

/** Where a table is kept. */
type Placement = { kind: 'distributed'; column: string } | { kind: 'reference' | 'local' };

interface PlacedTable {
  table: string;
  placement: Placement;
}

const COMMENTS = `
  SELECT c.relname AS "table", obj_description(c.oid, 'pg_class') AS comment
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND c.relname <> 'migrations'
  ORDER BY c.relname`;

/**
 * Every table of the schema, with its place.
 *
 * @throws Error naming a table whose comment states no place
 */
export async function placedTables(database: Querying): Promise<PlacedTable[]> {
  const rows = (await database.query(COMMENTS)) as { table: string; comment: string | null }[];
  return rows.map(({ table, comment }) => ({ table, placement: placementOf(table, comment) }));
}

function placementOf(table: string, comment: string | null): Placement {
  const [, column] = /^distributed by (\w+)$/.exec(comment ?? '') ?? [];
  if (column !== undefined) {
    return { kind: 'distributed', column };
  }
  if (comment === 'reference' || comment === 'local') {
    return { kind: comment };
  }
  throw new Error(`the comment of table ${table} does not say where a Citus cluster keeps it`);
}

/** Whether the database is a Citus coordinator. */
export async function isCitus(database: Querying): Promise<boolean> {
  const [{ citus }] = (await database.query(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus`,
  )) as [{ citus: boolean }];
  return citus;
}

/** Whether the database is a Citus coordinator without a worker to keep its tables on. */
export async function lacksWorkers(database: Querying): Promise<boolean> {
  if (!(await isCitus(database))) {
    return false;
  }
  const [{ workers }] = (await database.query(
    `SELECT count(*)::integer AS workers FROM pg_dist_node
     WHERE isactive AND shouldhaveshards AND noderole = 'primary'`,
  )) as [{ workers: number }];
  return workers === 0;
}

/** Tables that the cluster keeps in their places. */
const KNOWN = 'SELECT table_name::text AS "table" FROM citus_tables';

/** Foreign keys and triggers of the given tables, each with what drops and what creates it. */
const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS "drop",
    format('ALTER TABLE %s ADD CONSTRAINT %I %s',
      conrelid::regclass, conname, pg_get_constraintdef(oid)) AS "create"
  FROM pg_constraint
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  ORDER BY conrelid::regclass::text, conname`;

const TRIGGERS = `
  SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS "drop",
    pg_get_triggerdef(t.oid) AS "create"
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace
  ORDER BY c.relname, tgname`;

/** What sets the identity of each column again to the last one that it gave out. */
const IDENTITIES = `
  SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), %s)',
    c.oid::regclass, a.attname, s.last_value) AS restore
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
  JOIN pg_sequences s ON format('%I.%I', s.schemaname, s.sequencename)
    = pg_get_serial_sequence(c.oid::regclass::text, a.attname)
  WHERE c.relnamespace = current_schema()::regnamespace AND s.last_value IS NOT NULL`;

/**
 * Puts the functions on every node, also those that are older than the cluster. One whose first
 * argument is a company runs where that company's rows are, also within a transaction.
 */
const COPY_FUNCTIONS = `
  SELECT CASE
    WHEN p.proargnames[1] = 'company' THEN create_distributed_function(
      p.oid::regprocedure, 'company', colocate_with := 'campaign', force_delegation := true)
    ELSE create_distributed_function(p.oid::regprocedure)
  END
  FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (
      SELECT FROM pg_depend d
      WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    )
    AND NOT EXISTS (
      SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid
        AND (o.distribution_argument_index = 0 OR p.proargnames[1] IS DISTINCT FROM 'company')
    )`;

/**
 * A generic plan knows no company, so a cluster cannot tell which shard it is for: functions that
 * are planned once for every call are planned for each one there.
 */
const PLAN_EACH_CALL = `
  SELECT format('ALTER FUNCTION %s RESET plan_cache_mode', oid::regprocedure) AS statement
  FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace
    AND EXISTS (SELECT FROM unnest(proconfig) AS c WHERE c LIKE 'plan_cache_mode=%')`;

interface Definition {
  drop: string;
  create: string;
}

/**
 * Spreads the tables over the nodes of a Citus cluster, each to its place; on any other database it
 * does nothing. Must run in a transaction. Tables that are spread already stay as they are.
 *
 * Foreign keys and triggers are dropped meanwhile: a foreign key may only join tables that are
 * spread alike, and moving rows would fire the triggers.
 *
 * @returns the tables that were spread, in the order of their names
 */
export async function distribute(database: Querying): Promise<string[]> {
  if (!(await isCitus(database))) {
    return [];
  }
  const tables = await placedTables(database);
  const known = (await database.query(KNOWN)) as { table: string }[];
  const spread = new Set(known.map(({ table }) => table));
  const locals = tables.filter(({ placement }) => placement.kind === 'local');
  const placed = tables
    .filter((each) => !locals.includes(each) && !spread.has(each.table))
    .sort(referencesFirst);
  if (placed.length === 0) {
    return [];
  }
  await letShardsHaveTriggers(database);
  const identities = (await database.query(IDENTITIES)) as { restore: string }[];
  await withoutForeignKeysAndTriggers(database, async () => {
    for (const { table, placement } of placed) {
      // Tables that are distributed by a column of one type share their shards by default.
      await database.query(
        placement.kind === 'distributed'
          ? `SELECT create_distributed_table('${table}', '${placement.column}')`
          : `SELECT create_reference_table('${table}')`,
      );
    }
    // What was copied to the shards would stay on the coordinator's disk, where nothing erases it.
    for (const { table } of placed) {
      await database.query(`SELECT truncate_local_data_after_distributing_table('${table}')`);
    }
    // After the tables, because a function may return a row of one.
    await shareFunctions(database);
  });
  // The cluster creates a local table anew if it has a foreign key to a reference table: without
  // its comment, and with identities that begin at 1.
  for (const { table } of locals) {
    await database.query(`COMMENT ON TABLE ${table} IS 'local'`);
  }
  for (const { restore } of identities) {
    await database.query(restore);
  }
  return placed.map(({ table }) => table).toSorted();
}

/**
 * Lets the rest of a transaction create triggers on distributed tables. Ours write to the shard
 * beside the one that fires them. On any other database it does nothing.
 */
export async function letShardsHaveTriggers(database: Querying): Promise<void> {
  if (await isCitus(database)) {
    await changeShardsInTurn(database);
    await database.query('SET LOCAL citus.enable_unsafe_triggers TO on');
  }
}

/** Puts new functions on every node of a cluster. On any other database it does nothing. */
export async function shareFunctions(database: Querying): Promise<void> {
  if (await isCitus(database)) {
    await database.query(COPY_FUNCTIONS);
    const found = (await database.query(PLAN_EACH_CALL)) as { statement: string }[];
    for (const { statement } of found) {
      await database.query(statement);
    }
  }
}

/**
 * Lets the rest of a transaction change the schema of many shards: in parallel, Citus refuses what
 * depends on an earlier change. On any other database it does nothing.
 */
export async function changeShardsInTurn(database: Querying): Promise<void> {
  if (await isCitus(database)) {
    await database.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
  }
}

function referencesFirst(a: PlacedTable, b: PlacedTable): number {
  return Number(b.placement.kind === 'reference') - Number(a.placement.kind === 'reference');
}

async function withoutForeignKeysAndTriggers(
  database: Querying,
  work: () => Promise<void>,
): Promise<void> {
  const foreignKeys = (await database.query(FOREIGN_KEYS)) as Definition[];
  const triggers = (await database.query(TRIGGERS)) as Definition[];
  const definitions = [...foreignKeys, ...triggers];
  for (const { drop } of definitions) {
    await database.query(drop);
  }
  await work();
  for (const { create } of definitions) {
    await database.query(create);
  }
}
