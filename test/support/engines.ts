import { postgresUrl } from './databases';

const isPostgres = postgresUrl !== undefined;

/** Tests that need a PostgreSQL server, which TEST_DATABASE_URL names. */
export const onPostgres = isPostgres ? describe : describe.skip;

/** Tests of the embedded database, which run without TEST_DATABASE_URL. */
export const onEmbedded = isPostgres ? describe.skip : describe;
