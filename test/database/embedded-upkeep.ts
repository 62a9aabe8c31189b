import { rm } from 'node:fs/promises';
import { migrateEmbedded } from '../../src/platform/database/schema';
import { EmbeddedUpkeep } from '../../src/platform/scheduling/embedded-upkeep.service';
import { temporaryDirectory, withDatabase } from '../support/databases';
import { onEmbedded } from '../support/engines';
import { eventually } from '../support/eventually';
import { service } from '../support/service';

onEmbedded('the upkeep of the embedded database', () => {
  let upkeep: EmbeddedUpkeep;

  beforeAll(async () => {
    upkeep = service.app.get(EmbeddedUpkeep);
    // The look soon after the start would come between the steps of whichever test is first.
    jest.spyOn(upkeep, 'lookInBackground').mockResolvedValue();
    await service.dataSource.query('CREATE TABLE kept (id integer PRIMARY KEY, note text)');
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await service.dataSource.query('DROP TABLE kept');
  });

  async function stateOf(table: string): Promise<{ rows: number; pages: number }> {
    const [row] = await service.dataSource.query(
      `SELECT reltuples::integer AS rows, (pg_relation_size(oid) / 8192)::integer AS pages
       FROM pg_class WHERE relname = $1`,
      [table],
    );
    return row;
  }

  const fill = async () => {
    await service.dataSource.query('TRUNCATE kept');
    await service.dataSource.query(
      `INSERT INTO kept SELECT n, repeat('x', 1000) FROM generate_series(1, 20000) AS n`,
    );
  };

  it('gives a table statistics after much was written, and not again before', async () => {
    await fill();
    await upkeep.look();
    expect((await stateOf('kept')).rows).toBe(20_000);
    await service.dataSource.query('DELETE FROM kept WHERE id > 19990');
    expect(await upkeep.look()).toBe(false);
    expect((await stateOf('kept')).rows).toBe(20_000);
  });

  it('gives a small table statistics whenever it has doubled', async () => {
    await service.dataSource.query('CREATE TABLE small (note text)');
    // Whatever has been written until now.
    await eventually(async () => {
      expect(await upkeep.look()).toBe(false);
    });
    const analysed: number[] = [];
    for (const count of [2_000, 500, 2_000]) {
      await service.dataSource.query(
        `INSERT INTO small SELECT repeat('w', 500) FROM generate_series(1, ${count})`,
      );
      expect(await upkeep.look()).toBe(false);
      analysed.push((await stateOf('small')).rows);
    }
    expect(analysed).toEqual([2_000, 2_000, 4_500]);
    await service.dataSource.query('DROP TABLE small');
  });

  it('lets updates use the space of old rows again', async () => {
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        await service.dataSource.query(`UPDATE kept SET note = repeat('y', 1000)`);
        await upkeep.look();
      }
      return (await stateOf('kept')).pages;
    };
    await fill();
    const before = await rounds(2);
    expect(await rounds(4)).toBeLessThan(1.1 * before);
  });

  it('keeps the write-ahead log small', async () => {
    for (let round = 0; round < 6; round += 1) {
      await service.dataSource.query(
        `CREATE TABLE written AS SELECT repeat('z', 1000) AS note FROM generate_series(1, 25000)`,
      );
      await service.dataSource.query('DROP TABLE written');
      await upkeep.look();
    }
    const [{ bytes }] = await service.dataSource.query(
      'SELECT sum(size)::float8 AS bytes FROM pg_ls_waldir()',
    );
    expect(bytes).toBeLessThan(128 * 1024 * 1024);
  });

  it('lets updates use the space of values that are stored apart again', async () => {
    await service.dataSource.query(
      `CREATE TABLE apart AS SELECT 1 AS id, repeat('x', 2000000) AS note`,
    );
    await service.dataSource.query('ALTER TABLE apart ALTER note SET STORAGE EXTERNAL');
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        for (let update = 0; update < 10; update += 1) {
          await service.dataSource.query(`UPDATE apart SET note = repeat($1, 2000000)`, [
            String(update),
          ]);
        }
        await upkeep.look();
      }
      const [{ bytes }] = await service.dataSource.query(
        `SELECT pg_table_size('apart')::float8 AS bytes`,
      );
      return bytes;
    };
    const before = await rounds(2);
    expect(await rounds(4)).toBeLessThan(1.1 * before);
    await service.dataSource.query('DROP TABLE apart');
  });

  it('has no database but its own, also after a kill while the others were dropped', async () => {
    const directory = temporaryDirectory();
    const databases = await withDatabase({ DATA_DIR: directory }, async (dataSource) => {
      // What PostgreSQL leaves of a database whose drop was interrupted.
      await dataSource.query(
        `UPDATE pg_database SET datistemplate = false, datconnlimit = -2
         WHERE datname = 'template1'`,
      );
      await migrateEmbedded(dataSource);
      return dataSource.query('SELECT datname FROM pg_database');
    });
    await rm(directory, { recursive: true });
    expect(databases).toEqual([{ datname: 'postgres' }]);
  });

  it('freezes every row of every database, so that transaction numbers never run out', async () => {
    await service.dataSource.query(
      'CREATE TABLE changed AS SELECT n FROM generate_series(1, 500000) AS n',
    );
    // The log has the rows of a new table only if they change.
    await service.dataSource.query('UPDATE changed SET n = n + 1');
    await service.dataSource.query('SET vacuum_freeze_table_age = 0');
    await service.dataSource.query('SET vacuum_freeze_min_age = 0');
    try {
      for (let writes = 0; writes < 200; writes += 1) {
        await service.dataSource.query('SELECT pg_current_xact_id()');
      }
      const oldest = async (): Promise<{ age: number }> => {
        const [row] = await service.dataSource.query(
          'SELECT max(age(datfrozenxid)) AS age FROM pg_database',
        );
        return row;
      };
      expect((await oldest()).age).toBeGreaterThan(150);
      expect(await upkeep.look()).toBe(true);
      expect((await oldest()).age).toBeLessThan(100);
    } finally {
      await service.dataSource.query('RESET vacuum_freeze_table_age');
      await service.dataSource.query('RESET vacuum_freeze_min_age');
      await service.dataSource.query('DROP TABLE changed');
    }
  });
});
