import { statementName } from './statement-name';

describe('statementName', () => {
  it.each([
    ['SELECT campaign.id FROM campaign WHERE id = $1', 'SELECT campaign'],
    ['INSERT INTO campaign (id) VALUES ($1) RETURNING id', 'INSERT campaign'],
    ['UPDATE api_key SET name = $1 WHERE id = $2', 'UPDATE api_key'],
    ['DELETE FROM idempotency_record WHERE scope = $1', 'DELETE idempotency_record'],
    ['SELECT numbered, reached FROM number_events($1, $2)', 'SELECT number_events'],
    ['SELECT expire_participations($1, $2, 250) AS expired', 'SELECT expire_participations'],
    ['WITH due AS MATERIALIZED (SELECT id FROM campaign) SELECT * FROM due', 'SELECT campaign'],
    ['WITH due AS (SELECT 1) UPDATE campaign SET x = 1 FROM due', 'UPDATE campaign'],
    [
      'SELECT extract(epoch FROM clock_timestamp()) FROM unnumbered_event',
      'SELECT unnumbered_event',
    ],
    ['SELECT id FROM unnest($1) AS u JOIN company ON true', 'SELECT company'],
    ['SELECT id FROM campaign WHERE id = $1 FOR UPDATE OF campaign', 'SELECT campaign'],
    [
      'SELECT id, EXISTS (SELECT FROM (SELECT 1 FROM company) AS c) FROM campaign',
      'SELECT campaign',
    ],
    ['SELECT "c"."id" FROM "campaign" "c" WHERE "c"."id" = $1', 'SELECT campaign'],
    ['SELECT f.a FROM (SELECT 1 FROM api_key) AS f JOIN LATERAL (SELECT 1) AS l', 'SELECT api_key'],
    ['SELECT 1', 'SELECT'],
    ['START TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION'],
    ['ROLLBACK TO SAVEPOINT typeorm_1', 'ROLLBACK TO SAVEPOINT'],
    ['SET LOCAL statement_timeout = 0', 'SET'],
  ])('names %j %j', (text, name) => {
    expect(statementName(text)).toBe(name);
  });
});
