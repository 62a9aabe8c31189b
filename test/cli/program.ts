import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registerCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { temporaryDirectory } from '../support/databases';
import { installedSdk } from '../support/sdk';
import { service } from '../support/service';

const run = promisify(execFile);

describe('the installed program', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.start();
  }, 180_000);

  afterAll(() => cli.stop());

  it('takes a company from its key to results, in processes of its own', async () => {
    const { directory } = await installedSdk();
    const { version } = JSON.parse(
      readFileSync(join(directory, 'node_modules/campaign-service-client/package.json'), 'utf8'),
    );
    const npx = await run('npx', ['--no-install', 'campaign', '--version'], { cwd: directory });
    expect(npx.stdout).toBe(`${version}\n`);

    const { account } = await registerCompany(service.client);
    const { api_key } = (await account.post('/svc/api-key/generate', { mode: 'test' })).data;
    const cwd = temporaryDirectory();
    const env = { PATH: process.env.PATH, HOME: cwd };
    const program = join(directory, 'node_modules/.bin/campaign');
    const campaign = async (...argv: string[]) => (await run(program, argv, { cwd, env })).stdout;

    const logIn = run(program, ['login', '--url', service.client.url], { cwd, env });
    logIn.child.stdin!.end(api_key);
    expect((await logIn).stdout).toContain('Logged in');
    await campaign('init');
    expect(await campaign('plan', '--out', 'plan.json')).toContain('would be created');
    expect(await campaign('apply', '--plan', 'plan.json')).toContain('was created');
    expect(await campaign('start')).toContain('is live');
    expect(await campaign('simulate', '--respondents', '20')).toMatch(/20 respondents began/);
    expect(await campaign('results')).toMatch(/responses of 20 respondents[^]*Which bean/);
    expect(await campaign('stop', 'coffee-habits')).toContain('is paused');
  }, 60_000);

  it('says what is wrong with a command line, and where help is', async () => {
    for (const [argv, message] of [
      [['strat'], 'Did you mean start?'],
      [['export', 'a', '--format'], 'argument missing'],
      [['export', 'a', '--format', 'xls'], 'ndjson or csv'],
      [['list', '--limit', 'many'], 'whole number'],
      [['list', '--limit', '0'], 'at least 1'],
      [['verify', 'receipt'], 'missing required argument'],
      [['results'], 'Which campaign?'],
    ] as const) {
      const env = { CAMPAIGN_API_KEY: 'csk_x' };
      const { code, stderr } = await cli.run([...argv], { env });
      expect([argv, code, stderr]).toEqual([argv, 2, expect.stringContaining(message)]);
    }
    const help = await cli.run(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(/First steps:[^]*Exit codes:/);
  });

  it('says that the service cannot be reached', async () => {
    const env = { CAMPAIGN_API_KEY: 'csk_x', CAMPAIGN_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await cli.run(['list'], { env });
    expect([code, stderr]).toEqual([7, expect.stringContaining('campaign status')]);
  });

  it('prints no character that a terminal would obey', async () => {
    const { api } = await registerCompany(service.client);
    const title = 'A \u001b[31mred\u001b[0m title\u202e with \u0007 a bell';
    await api.post('/svc/survey/create', {
      ...{ title, description: 'd', category: 'c', tagline: 't', reward_amount: 100 },
    });
    const env = {
      CAMPAIGN_URL: service.client.url,
      CAMPAIGN_API_KEY: api.headers['x-api-key']!,
    };
    const { code, stdout } = await cli.run(['list'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('A [31mred [0m title')]);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it('completes commands, options, operations and their fields', async () => {
    const words = async (...typed: string[]) =>
      (await cli.run(['completion', 'words', '--', ...typed])).stdout.trimEnd().split('\n');
    expect(await words('st')).toEqual(['status', 'start', 'stop']);
    expect(await words('verify', 'r')).toEqual(['receipt']);
    expect(await words('export', '--fo')).toEqual(['--format', '--force']);
    expect(await words('api', 'getBal')).toEqual(['getBalance']);
    expect(await words('api', 'getCrosstab', '--ro')).toEqual(['--rows', '--row']);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await cli.run(['completion', shell]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('campaign completion words --')]);
    }
    const script = join(cli.folder, 'completion.bash');
    writeFileSync(script, (await cli.run(['completion', 'bash'])).stdout);
    await run('bash', ['-n', script]);
  });
});
