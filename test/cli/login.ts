import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PASSWORD, registerCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { service } from '../support/service';

describe('campaign login', () => {
  let cli: CommandLine;
  let key: string;
  let file: string;

  beforeAll(async () => {
    cli = await CommandLine.start();
    const { api } = await registerCompany(service.client);
    key = api.headers['x-api-key']!;
    file = join(cli.folder, '.config/campaign/login.json');
  }, 180_000);

  afterAll(() => cli.stop());

  /** Each test begins with the stored key of the company. */
  beforeEach(() => {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ url: service.client.url, api_key: key }));
    chmodSync(file, 0o600);
  });

  const logIn = (stdin: string) => cli.run(['login', '--url', service.client.url], { stdin });

  it('stores the key where only its user can read it, and prints it nowhere', async () => {
    rmSync(join(cli.folder, '.config'), { recursive: true });
    const { code, stdout, stderr } = await logIn(`${key}\n`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('for live data');
    expect(stdout).not.toContain(key.slice(8));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url: service.client.url,
      api_key: key,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(file, '..'))).toEqual(['login.json']);
    for (const argv of [['status'], ['status', '--json'], ['list', '--json']]) {
      const ran = await cli.run(argv);
      expect(ran.code).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain(key.slice(8));
    }
  });

  it('warns if others can read the key', async () => {
    chmodSync(file, 0o644);
    expect((await cli.run(['status'])).stderr).toContain(`chmod 600 '${file}'`);
    chmodSync(file, 0o600);
  });

  it('sends the stored key to no other address', async () => {
    const env = { CAMPAIGN_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await cli.run(['list'], { env });
    expect([code, stderr]).toEqual([5, expect.stringContaining('No API key for http://127')]);
  });

  it('lets the environment win', async () => {
    const env = { CAMPAIGN_API_KEY: 'csk_test_wrong' };
    const { code, stdout } = await cli.run(['whoami', '--json'], { env });
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ mode: 'test', key_from: 'CAMPAIGN_API_KEY', key_accepted: false },
      url: service.client.url,
    });
  });

  it('stores no key that the service or nobody would accept', async () => {
    const wrong = await logIn('csk_wrong');
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining('does not accept')]);
    expect((await logIn('a password')).code).toBe(3);
    expect((await logIn('')).code).toBe(2);
    expect(readFileSync(file, 'utf8')).toContain(key);
  });

  it('refuses what is no address, and warns of one without encryption', async () => {
    const wrong = await cli.run(['login', '--url', 'example.com'], { stdin: key });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no address')]);
    const env = { XDG_CONFIG_HOME: join(cli.folder, 'elsewhere') };
    const argv = ['login', '--no-check', '--url', 'http://campaigns.example.com'];
    const plain = await cli.run(argv, { env, stdin: key });
    expect([plain.code, plain.stderr]).toEqual([0, expect.stringContaining('not encrypted')]);
  });

  it('forgets the key with logout', async () => {
    expect(await cli.json('logout')).toEqual({ removed: true });
    expect(await cli.json('logout')).toEqual({ removed: false });
    expect(readdirSync(join(file, '..'))).toEqual([]);
    const { code, stderr } = await cli.run(['list']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('campaign login')]);
  });

  it('registers a company, and logs in with a test key', async () => {
    rmSync(file);
    const email = `register-${Date.now()}@example.com`;
    const argv = ['register', '--url', service.client.url, '--name', 'A Company', '--email', email];
    const { code, stdout, stderr } = await cli.run(argv, { stdin: PASSWORD });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('for test data');
    expect(await cli.json('status')).toMatchObject({ mode: 'test', key_accepted: true });
    const again = await cli.run([...argv, '--replace'], { stdin: PASSWORD });
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('email_taken')]);
  });

  it('replaces a stored key only if it is told to, or says so', async () => {
    const stored = readFileSync(file, 'utf8');
    const email = `replace-${Date.now()}@example.com`;
    const argv = ['register', '--url', service.client.url, '--name', 'B', '--email', email];
    const refused = await cli.run(argv, { stdin: PASSWORD });
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/live data of http[^]*--replace[^]*campaign logout/),
    ]);
    expect(readFileSync(file, 'utf8')).toBe(stored);
    const replaced = await cli.run([...argv, '--replace'], { stdin: PASSWORD });
    expect([replaced.code, replaced.stderr]).toEqual([0, '']);
    expect(replaced.stdout).toContain('This replaces the key for live data of');
    expect(readFileSync(file, 'utf8')).not.toBe(stored);
    expect((await logIn(key)).stdout).toContain('This replaces the key for test data of');
    expect((await logIn(key)).stdout).not.toContain('replaces');
  });

  it('says what a registration without a terminal lacks, before it sends anything', async () => {
    rmSync(file);
    const env = { CAMPAIGN_URL: 'http://127.0.0.1:9' };
    for (const [argv, stdin, message] of [
      [[], '', '--name and --email must be given without a terminal.'],
      [['--name', 'B', '--email', 'b@example.com'], '', 'CAMPAIGN_PASSWORD'],
      [['--name', 'B', '--email', 'b@example.com'], 'too short', '12 to 128 characters'],
    ] as const) {
      const { code, stderr } = await cli.run(['register', ...argv], { env, stdin });
      expect([code, stderr]).toEqual([stdin === '' ? 2 : 3, expect.stringContaining(message)]);
    }
    const nobody = await cli.run(['status']);
    expect([nobody.code, nobody.stdout]).toEqual([5, expect.stringContaining('campaign register')]);
  });
});
