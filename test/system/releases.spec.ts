import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../src/platform/database/migrations/index';
import { createSurvey, question } from '../support/builders';
import { registerCompany } from '../support/client';
import { createTestDatabase, temporaryDirectory } from '../support/databases';
import { runService } from '../support/process';
import releases from '../releases.json';

/*
 * test/releases.json has an entry for each release, newest last: its version, the Git tag, and the
 * SHA-256 of the statements of each of its migrations. Add an entry to make a release. RELEASE_REF
 * names another commit to test in place of the newest release.
 */

interface Release {
  version: string;
  tag: string;
  migrations: Record<string, string>;
}

const root = join(__dirname, '../..');
const all = releases as Release[];

/** SHA-256 of the statements that a migration runs on plain PostgreSQL. */
async function checksum(migration: MigrationInterface): Promise<string> {
  const hash = createHash('sha256');
  const query = (statement: string) => {
    hash.update(statement);
    return Promise.resolve([{ citus: false }]);
  };
  await migration.up({ query } as unknown as QueryRunner);
  return hash.digest('hex');
}

function command(program: string, args: string[], cwd = root): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
  }
}

describe('releases', () => {
  it('have an entry each, as the changelog names them', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const named = [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
    expect(all.map(({ version }) => version).toReversed()).toEqual(named);
  });

  // The test above fails once the changelog names a release.
  if (all.length === 0 && process.env.RELEASE_REF === undefined) {
    return;
  }

  it('keep their migrations as they were released', async () => {
    const current = new Map<string, string>();
    for (const Migration of migrations) {
      const migration = new Migration();
      current.set(migration.name, await checksum(migration));
    }
    for (const release of all) {
      for (const [name, released] of Object.entries(release.migrations)) {
        expect([release.version, name, current.get(name)]).toEqual([
          release.version,
          name,
          released,
        ]);
      }
    }
    expect(current.size).toBe(migrations.length);
  });

  it('serve on the schema of this version: the newest completes the whole journey', async () => {
    const ref = process.env.RELEASE_REF ?? all.at(-1)!.tag;
    const directory = temporaryDirectory();
    const database = await createTestDatabase();
    try {
      command('git', ['worktree', 'add', '--detach', directory, ref]);
      command('npm', ['ci', '--no-audit', '--no-fund'], directory);
      command('npm', ['run', 'build'], directory);
      const program = join(directory, 'dist/src/main.js');
      const service = await runService(database.variables, program);
      const company = await registerCompany(service.client);
      const { post_id } = await createSurvey(company.api);
      const responses = [
        await company.api.post('/svc/survey/questions', { post_id, questions: [question()] }),
        await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 50 }),
        await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
        await company.api.get(`/svc/campaign/${post_id}`),
        await company.api.get(`/svc/campaign/${post_id}/history`),
        await company.api.get('/svc/campaign/list'),
      ];
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      await service.stop();
    } finally {
      await database.drop();
      await rm(directory, { recursive: true, force: true });
      command('git', ['worktree', 'prune']);
    }
  }, 600_000);
});
