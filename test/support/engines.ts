import { citusUrl } from './citus';
import { postgresUrl } from './databases';

const isPostgres = postgresUrl !== undefined;

/** Tests that need a PostgreSQL server, which TEST_DATABASE_URL names. */
export const onPostgres = isPostgres ? describe : describe.skip;

/** A test that needs a PostgreSQL server: the embedded database has one connection. */
export const itOnPostgres = isPostgres ? it : it.skip;

/**
 * A test that needs one PostgreSQL server: on a cluster, the sessions that wait do not show which
 * function they run.
 */
export const itOnOneServer = isPostgres && citusUrl === undefined ? it : it.skip;

/** Tests of the embedded database, which run without TEST_DATABASE_URL. */
export const onEmbedded = isPostgres ? describe.skip : describe;
