import { execFile, execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDataSource } from '../../src/platform/database/data-source';
import { temporaryDirectory } from '../support/databases';
import { onPostgres } from '../support/engines';
import { testEnv } from '../support/env';
import { PostgresCluster, serverUser } from '../support/postgres-cluster';

const ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

/** What a client does with a server whose authority it knows, or does not know. */
type Outcome = 'encrypted' | 'plain' | 'refused';

/** The outcomes of the documentation's table, in the order of {@link WAYS}. */
type Outcomes = [
  unknownAuthority: Outcome,
  knownAuthority: Outcome,
  otherName: Outcome,
  withoutTls: Outcome,
];

const NEVER: Outcomes = ['plain', 'plain', 'plain', 'plain'];
const IF_POSSIBLE: Outcomes = ['encrypted', 'encrypted', 'encrypted', 'plain'];
const UNVERIFIED: Outcomes = ['encrypted', 'encrypted', 'encrypted', 'refused'];
const AUTHORITY: Outcomes = ['refused', 'encrypted', 'encrypted', 'refused'];
const NAME: Outcomes = ['refused', 'encrypted', 'refused', 'refused'];
const INVALID: Outcomes = ['refused', 'refused', 'refused', 'refused'];

const MODES: [mode: string | undefined, service: Outcomes, libpq: Outcomes][] = [
  [undefined, NEVER, IF_POSSIBLE],
  ['disable', NEVER, NEVER],
  ['prefer', NAME, IF_POSSIBLE],
  // With an authority in sslrootcert, libpq verifies it.
  ['require', NAME, UNVERIFIED],
  ['verify-ca', NAME, AUTHORITY],
  ['verify-full', NAME, NAME],
  ['no-verify', UNVERIFIED, INVALID],
];

onPostgres('TLS to the database (PostgreSQL only)', () => {
  let directory: string;
  let cluster: PostgresCluster;
  let plain: PostgresCluster;

  /** Creates an authority, and a certificate of it for localhost. */
  function createCertificates(): void {
    const run = (...args: string[]) =>
      execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
    const key = ['-newkey', 'rsa:2048', '-nodes'];
    run('req', '-x509', ...key, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem');
    run(
      ...[
        'req',
        '-x509',
        ...key,
        '-subj',
        '/CN=localhost',
        '-keyout',
        'key.pem',
        '-out',
        'cert.pem',
      ],
      ...['-addext', 'subjectAltName=DNS:localhost', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
    );
    const { uid, gid } = serverUser();
    for (const file of ['.', 'key.pem', 'cert.pem', 'ca.pem']) {
      chownSync(join(directory, file), uid, gid);
    }
  }

  beforeAll(async () => {
    directory = temporaryDirectory();
    createCertificates();
    [cluster, plain] = await Promise.all([
      PostgresCluster.createEmpty([
        'ssl = on',
        `ssl_cert_file = '${directory}/cert.pem'`,
        `ssl_key_file = '${directory}/key.pem'`,
      ]),
      PostgresCluster.createEmpty(),
    ]);
  });

  afterAll(async () => {
    await Promise.all([cluster.remove(), plain.remove()]);
    await rm(directory, { recursive: true });
  });

  const url = (
    server: PostgresCluster,
    mode: string | undefined,
    { host = 'localhost', knows = true } = {},
  ) => {
    const built = new URL(server.url('postgres'));
    built.hostname = host;
    if (mode !== undefined) {
      built.searchParams.set('sslmode', mode);
    }
    if (mode !== undefined && knows) {
      built.searchParams.set('sslrootcert', join(directory, 'ca.pem'));
    }
    return built.href;
  };

  async function outcomeOf(ask: () => Promise<boolean>): Promise<Outcome> {
    try {
      return (await ask()) ? 'encrypted' : 'plain';
    } catch {
      return 'refused';
    }
  }

  const service = (DATABASE_URL: string) =>
    outcomeOf(async () => {
      const dataSource = await createDataSource(testEnv({ DATABASE_URL })).initialize();
      try {
        const [{ ssl }] = await dataSource.query<[{ ssl: boolean }]>(ENCRYPTED);
        return ssl;
      } finally {
        await dataSource.destroy();
      }
    });

  /** psql connects with libpq, as pg_dump does. */
  const libpq = (own: string) =>
    outcomeOf(async () => {
      const { stdout } = await promisify(execFile)('psql', ['-XAtc', ENCRYPTED, own], {
        env: { PATH: process.env.PATH, HOME: directory, PGSSLCERTMODE: 'disable' },
      });
      return stdout.trim() === 't';
    });

  it.each(MODES)('with sslmode=%s is as documented', async (mode, ofService, ofLibpq) => {
    const ways = [
      url(cluster, mode, { knows: false }),
      url(cluster, mode),
      url(cluster, mode, { host: '127.0.0.1' }),
      url(plain, mode),
    ];
    expect(await Promise.all(ways.map(service))).toEqual(ofService);
    expect(await Promise.all(ways.map(libpq))).toEqual(ofLibpq);
  });
});
