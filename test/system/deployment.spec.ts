import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  onServer,
  postgresUrl,
  temporaryDirectory,
} from '../support/databases';
import { eventually } from '../support/eventually';
import { freePort } from '../support/ports';
import { example, runHaproxy } from '../support/servers';
import { startService } from '../support/service';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

describe('the examples for operators', () => {
  let folder: string;
  let certificate: string;

  beforeAll(() => {
    folder = temporaryDirectory();
    const key = join(folder, 'key.pem');
    const cert = join(folder, 'cert.pem');
    const subject = ['-subj', '/CN=example.com', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
    execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    certificate = join(folder, 'both.pem');
    writeFileSync(certificate, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('have TLS that nginx and haproxy accept', async () => {
    const nginx = join(folder, 'nginx.conf');
    const server = example('nginx.conf', {
      '443 ssl': `127.0.0.1:${await freePort()} ssl`,
      '/etc/ssl/certs/example.com.pem': certificate,
      '/etc/ssl/private/example.com.key': certificate,
    });
    writeFileSync(nginx, `pid ${folder}/pid; events {} http { access_log off; ${server} }`);
    const { stderr } = await run('nginx', ['-t', '-p', folder, '-e', 'stderr', '-c', nginx]);
    expect(stderr).toContain('test is successful');
    const haproxy = join(folder, 'haproxy.cfg');
    writeFileSync(
      haproxy,
      example('haproxy.cfg', { '/etc/ssl/private/example.com.pem': certificate }),
    );
    const checked = await run('haproxy', ['-c', '-f', haproxy]);
    expect(checked.stdout + checked.stderr).toMatch(/Configuration file is valid/);
    expect(checked.stderr).not.toContain('WARNING');
  });

  it('let haproxy send each request to an instance that is ready', async () => {
    const service = await startService();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const haproxy = await runHaproxy(await freePort(), nobody, service.client.url);
    try {
      await eventually(async () => {
        expect((await fetch(`${haproxy.url}/health/ready`)).status).toBe(200);
      });
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await fetch(`${haproxy.url}/reference`)).status),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
    } finally {
      await haproxy.stop();
      await service.close();
    }
  });

  it('have a unit that systemd accepts', async () => {
    const unit = join(folder, 'campaign-service.service');
    // Where Node is on this machine.
    writeFileSync(
      unit,
      example('campaign-service.service', { '/usr/bin/node ': `${process.execPath} ` }),
    );
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
    expect(stdout + stderr).not.toContain('campaign-service');
  });

  it('have configurations that Prometheus accepts', async () => {
    for (const file of ['prometheus.yml', 'discovery.yml']) {
      const path = join(ROOT, 'monitoring', file);
      const { stdout, stderr } = await run('promtool', ['check', 'config', path]);
      expect([file, stdout]).toEqual([file, expect.stringContaining('SUCCESS')]);
      expect(stdout + stderr).not.toMatch(/FAILED|WARNING/);
    }
  });

  (postgresUrl === undefined ? it.skip : it)(
    'have a role that can back up everything and change nothing',
    async () => {
      const role = `backup_${randomBytes(6).toString('hex')}`;
      const database = await createTestDatabase();
      const { DATABASE_URL } = database.variables as { DATABASE_URL: string };
      const text = readFileSync(join(ROOT, 'docs/postgresql.md'), 'utf8');
      const [, statements = ''] = /```sql\n(CREATE ROLE campaign_backup[^`]+)```/.exec(text) ?? [];
      try {
        for (const statement of statements.replaceAll('campaign_backup', role).split(';\n')) {
          if (statement !== '') {
            await onServer(statement);
          }
        }
        const url = new URL(DATABASE_URL);
        url.username = role;
        const dump = join(folder, 'campaign.dump');
        await run('pg_dump', ['--format=custom', `--file=${dump}`, url.href]);
        const { stdout } = await run('pg_restore', ['--list', dump]);
        for (const table of ['transfer', 'participation', 'sealed_key', 'migrations']) {
          expect(stdout).toMatch(new RegExp(`TABLE DATA \\w+ ${table} `));
        }
        const write = run('psql', [url.href, '-c', "UPDATE company SET name = 'x'"]);
        await expect(write).rejects.toThrow('permission denied for table company');
      } finally {
        await database.drop();
        await onServer(`DROP ROLE IF EXISTS ${role}`);
      }
    },
  );
});
