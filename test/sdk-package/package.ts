import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedSdk, InstalledSdk, runProgram, SDK_ROOT } from '../support/sdk';
import { temporaryDirectory } from '../support/databases';
import { FaultyProxy } from '../support/faulty-proxy';
import { service } from '../support/service';

const root = join(__dirname, '../..');

const run = promisify(execFile);

/** Takes a campaign through its life, with a connection that is cut on the way. */
const JOURNEY = `
async function journey({ CampaignClient, CampaignServiceError, isCode }, baseUrl, email) {
  const account = { email, password: 'a long enough password' };
  const owner = new CampaignClient({ baseUrl, account });
  const { company_id } = await owner.company.register({ name: 'A Company', ...account });
  const { api_key: apiKey } = await owner.keys.generate();
  const client = new CampaignClient({ baseUrl, apiKey });
  const survey = { title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100 };
  const { data, idempotentReplay } = await client.surveys.create(survey).withResponse();
  await client.campaigns.start(data.post_id);
  const listed = [];
  for await (const { post_id, is_live } of client.campaigns.list()) {
    listed.push(post_id === data.post_id && is_live);
  }
  const error = await client.campaigns.get('post_1').catch((error) => error);
  console.log(JSON.stringify({
    same: (await owner.company.me()).company_id === company_id,
    idempotentReplay,
    listed,
    error: [error instanceof CampaignServiceError, isCode(error, 'campaign_not_found'), error.name],
  }));
}`;

describe('the package of the SDK', () => {
  let installed: InstalledSdk;
  let proxy: FaultyProxy;
  let baseUrl: string;

  beforeAll(async () => {
    installed = await installedSdk();
    proxy = new FaultyProxy(service.client.url);
    baseUrl = await proxy.listen();
  }, 180_000);

  afterAll(() => proxy.close());

  const files = (folder: string) =>
    readdirSync(join(installed.root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it.each([
    ['import', 'journey.mjs', "import * as sdk from 'campaign-service-client';"],
    ['require', 'journey.cjs', "const sdk = require('campaign-service-client');"],
  ])('loads by %s and completes a journey', async (_way, name, load) => {
    // After the registration, the login and the key, the connection is cut at the survey's
    // creation.
    proxy.plan(undefined, undefined, undefined, 'cut after the service');
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const call = `journey(sdk, '${baseUrl}', '${email}');`;
    expect(JSON.parse(await runProgram(name, [load, JOURNEY, call].join('\n')))).toEqual({
      same: true,
      idempotentReplay: true,
      listed: [true],
      error: [true, true, 'NotFoundError'],
    });
  });

  it('documents a first campaign in 15 lines that run unchanged', async () => {
    const readme = readFileSync(join(installed.root, 'README.md'), 'utf8');
    const [, program = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    const lines = program.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(lines.length).toBeLessThanOrEqual(15);
    proxy.plan();
    const here = program
      .replace('http://127.0.0.1:3000', baseUrl)
      .replace('you@example.com', `${randomBytes(8).toString('hex')}@example.com`);
    expect(here).not.toBe(program);
    await runProgram(
      'readme.mjs',
      `${here}\nconsole.log(await client.campaigns.get(post_id));`,
    ).then((printed) =>
      expect(printed).toMatch(
        /is_live: true[^]*total_questions: 1|total_questions: 1[^]*is_live: true/,
      ),
    );
  });

  it('is installed by the one command of its README', async () => {
    const readme = readFileSync(join(installed.root, 'README.md'), 'utf8');
    const [, command = ''] = /^(npm install .*)$/m.exec(readme) ?? [];
    const here = command.replace('../campaign-service', root);
    expect(here).not.toBe(command);
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
    await run('sh', ['-c', here], { cwd, env: { ...process.env, npm_config_offline: 'true' } });
    const { dependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(['campaign-service-client']);
    const program = `console.log(typeof require('campaign-service-client').CampaignClient)`;
    const { stdout } = await run(process.execPath, ['-e', program], { cwd });
    expect(stdout).toBe('function\n');
  }, 120_000);

  it('contains its license and types, and what the command line depends on', () => {
    const manifest = JSON.parse(readFileSync(join(installed.root, 'package.json'), 'utf8'));
    const dependencies = Object.keys(manifest.dependencies);
    expect(manifest.bundleDependencies).toEqual(dependencies);
    expect(readdirSync(join(installed.root, 'node_modules'))).toEqual(
      expect.arrayContaining(dependencies.map((name) => name.split('/')[0])),
    );
    expect(manifest).not.toHaveProperty('private');
    expect(manifest.repository.directory).toBe('clients/typescript');
    expect(
      readdirSync(join(installed.directory, 'node_modules')).filter(
        (name) => !name.startsWith('.'),
      ),
    ).toEqual(['campaign-service-client']);
    expect(readdirSync(installed.root).toSorted()).toEqual(
      ['LICENSE', 'README.md', 'dist', 'node_modules', 'package.json'].toSorted(),
    );
    expect(readFileSync(join(installed.root, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    );
  });

  it('passes publint', async () => {
    const { stdout } = await run(process.execPath, [
      join(root, 'node_modules/publint/src/cli.js'),
      installed.tarball,
      '--strict',
    ]);
    expect(stdout).toContain('All good!');
  });

  it('passes Are the types wrong?', async () => {
    const cli = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const { stdout } = await run(process.execPath, [cli, installed.tarball, '--format', 'json']);
    const { analysis, problems } = JSON.parse(stdout);
    expect(problems).toEqual({});
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['.']));
  }, 120_000);

  it('uses no module or global that browsers lack', () => {
    const scripts = [...files('dist/esm'), ...files('dist/cjs')].filter((name) =>
      name.endsWith('.js'),
    );
    expect(scripts.length).toBeGreaterThan(10);
    for (const script of scripts) {
      const code = readFileSync(script, 'utf8');
      expect(code).not.toMatch(/\bnode:|\bprocess\b|\bBuffer\b|\b__dirname\b|\bglobal\./);
      const imported = [...code.matchAll(/(?:\bfrom |\brequire\()["']([^"']+)["']/g)];
      expect(imported.filter(([, name]) => !/^\.\/[\w-]+\.js$/.test(name!))).toEqual([]);
    }
  });

  it('stays below 105 kB per build', () => {
    const bytes = (folder: string) =>
      files(folder)
        .filter((name) => name.endsWith('.js'))
        .reduce((sum, name) => sum + readFileSync(name).length, 0);
    expect(bytes('dist/esm')).toBeLessThan(105_000);
    expect(bytes('dist/cjs')).toBeLessThan(105_000);
  });

  it('contains what `npm run client` generates from openapi.json', () => {
    const scratch = temporaryDirectory();
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const made = ['schema.ts', 'operations.ts'].map((name) => join(scratch, name));
    const [schema, operations] = (scripts.client as string).split(' && ');
    const command = `${schema!.replace('clients/typescript/src/schema.ts', made[0]!)} && ${operations!} ${made[1]!}`;
    const { status, stderr } = spawnSync('npx', ['--no-install', '-c', command], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    for (const file of made) {
      const committed = join(SDK_ROOT, 'src', file.slice(scratch.length));
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(committed, 'utf8'));
    }
  }, 120_000);
});
