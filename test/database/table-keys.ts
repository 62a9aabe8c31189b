import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { placedTables } from '../../src/platform/database/citus';
import { createDataSource } from '../../src/platform/database/data-source';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { testEnv } from '../support/env';

/*
 * The rule for new tables (CONTRIBUTING.md), and the guide's table of what grows. A Citus cluster
 * keeps a table where its comment says, and enforces a key only if all rows that the key compares
 * are on one node.
 */

/** Unique keys that contain the distribution column but begin with another one. */
const EXCEPTIONS = new Set([
  // Also finds everything that a respondent has begun, in the campaigns of all companies.
  'participation_respondent',
  // Lists of a company's transfers have indexes of their own, and must not be planned with it.
  'transfer_pkey',
]);

/** Every primary key, unique index and foreign key, with the first column of either side. */
const KEYS = `
  SELECT c.relname::text AS "table", i.relname::text AS name,
    pg_get_indexdef(x.indexrelid, 1, true) AS first, NULL AS referenced, NULL AS "referencedFirst"
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
  WHERE x.indisunique AND c.relname <> 'migrations'
    AND c.relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT k.conrelid::regclass::text, k.conname::text, a.attname::text,
    k.confrelid::regclass::text, b.attname::text
  FROM pg_constraint k
  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
  WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
  ORDER BY 1, 2`;

interface Key {
  table: string;
  name: string;
  first: string;
  /** The table that a foreign key references, and the first column there. */
  referenced: string | null;
  referencedFirst: string | null;
}

describe('Every table', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource(testEnv(database.variables)).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** Returns the keys that a cluster cannot enforce. Throws if a table has no place. */
  async function misplacedKeys(): Promise<string[]> {
    const tables = await placedTables(dataSource);
    const columns = new Map(
      tables.map(({ table, placement }) => [
        table,
        placement.kind === 'distributed' ? placement.column : placement.kind,
      ]),
    );
    const isDistributed = (table: string) =>
      !['reference', 'local'].includes(columns.get(table) ?? '');
    const keys = await dataSource.query<Key[]>(KEYS);
    expect(keys.length).toBeGreaterThan(tables.length);
    return keys
      .filter(({ table, first, referenced, referencedFirst }) => {
        if (!isDistributed(table)) {
          return referenced !== null && isDistributed(referenced);
        }
        return (
          first !== columns.get(table) ||
          (referenced !== null &&
            ![referencedFirst, 'reference'].includes(columns.get(referenced)!))
        );
      })
      .map(({ name }) => name)
      .filter((name) => !EXCEPTIONS.has(name));
  }

  it('has a place on a cluster, and keys that begin with its distribution column', async () => {
    expect(await misplacedKeys()).toEqual([]);
  });

  it('is in the table of the guide that says what grows', async () => {
    const guide = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
    const rows = /## Retention\n[\s\S]*?\n\n(\|[\s\S]*?)\n\n/.exec(guide)![1]!;
    const named = [...rows.matchAll(/^\|[^|]*/gm)].flatMap(
      ([cell]) => cell.match(/\w+(?=`)/g) ?? [],
    );
    const tables = (await placedTables(dataSource)).map(({ table }) => table);
    expect(new Set(named)).toEqual(new Set([...tables, 'migrations']));
  });

  describe('of a later migration', () => {
    beforeEach(async () => {
      await dataSource.query(`CREATE TABLE later (
        company_id uuid NOT NULL,
        later_id text NOT NULL,
        campaign_id bigint,
        question_id text,
        CONSTRAINT later_pkey PRIMARY KEY (company_id, later_id)
      )`);
    });

    afterEach(() => dataSource.query('DROP TABLE later'));

    const comment = (text: string) => dataSource.query(`COMMENT ON TABLE later IS '${text}'`);

    const add = (definition: string) =>
      dataSource.query(`ALTER TABLE later ADD CONSTRAINT later_key ${definition}`);

    it('is refused without a place', async () => {
      await expect(misplacedKeys()).rejects.toThrow(
        'the comment of table later does not say where a Citus cluster keeps it',
      );
      await comment('somewhere');
      await expect(misplacedKeys()).rejects.toThrow('table later');
    });

    it.each([
      ['a primary key of another column', 'distributed by later_id', undefined, 'later_pkey'],
      ['a unique constraint of other columns', 'distributed by company_id', 'UNIQUE (later_id)'],
      [
        'a foreign key that begins with another column',
        'distributed by company_id',
        `FOREIGN KEY (campaign_id, company_id) REFERENCES campaign (id, company_id)`,
      ],
      [
        'a foreign key to a distributed table from a local one',
        'local',
        'FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id)',
      ],
    ])('is refused with %s', async (_, place, definition, name = 'later_key') => {
      await comment(place);
      await (definition && add(definition));
      expect(await misplacedKeys()).toEqual([name]);
    });

    it('is accepted with keys that begin with its column', async () => {
      await comment('distributed by company_id');
      await add('FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id)');
      await dataSource.query('CREATE UNIQUE INDEX ON later (company_id, lower(later_id))');
      expect(await misplacedKeys()).toEqual([]);
    });
  });
});
