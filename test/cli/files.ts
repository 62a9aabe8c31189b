import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CompanyArchive } from '../../src/operations/archive/company-archive';
import { CompanyList } from '../../src/operations/archive/company-list';
import { verify } from '../../src/operations/archive/verify';
import { registerCompany, TestCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { feedPage } from '../support/feed';
import { begun, liveSurvey, submit } from '../support/fielding';
import { generatePlatformKey } from '../support/platforms';
import { service } from '../support/service';
import { settleOne, storedCompany } from '../support/settlements';

describe('files of the command line', () => {
  let cli: CommandLine;
  let company: TestCompany;
  let post_id: string;
  let receipt: string;
  let platformKey: string;

  beforeAll(async () => {
    cli = await CommandLine.start();
    company = await registerCompany(service.client);
    ({ secret: platformKey } = await generatePlatformKey(service.dataSource));
    cli.env.CAMPAIGN_URL = service.client.url;
    cli.env.CAMPAIGN_API_KEY = company.api.headers['x-api-key']!;
    cli.env.CAMPAIGN_PLATFORM_KEY = platformKey;
    post_id = await liveSurvey(company);
    const platform = service.client.withKey(platformKey);
    for (const respondent of ['ann', 'bob']) {
      ({ receipt } = (await submit(platform, await begun(platform, post_id, respondent), 9)).data);
    }
    await cli.run(['export', post_id, '-o', 'all.ndjson']);
    await cli.run(['export', post_id, '--format', 'csv', '-o', 'all.csv']);
  }, 180_000);

  afterAll(() => cli.stop());

  const inFolder = (name: string) => join(cli.folder, name);
  const verified = (...argv: string[]) => cli.run(['verify', ...argv]);
  const change = (name: string, old: string, by: string) => {
    const text = readFileSync(inFolder(name), 'utf8');
    expect(text).toContain(old);
    writeFileSync(inFolder(`changed-${name}`), text.replace(old, by));
    return `changed-${name}`;
  };

  it('have every response, and replace nothing', async () => {
    const exported = await cli.json('export', post_id, '-o', 'again.ndjson');
    expect(exported).toMatchObject({ file: 'again.ndjson', count: 2 });
    expect(readFileSync(inFolder('again.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(3);
    const again = await cli.run(['export', post_id, '-o', 'again.ndjson']);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('--force')]);
    await cli.run(['export', post_id, '--format', 'csv']);
    expect(readFileSync(inFolder(`${post_id}.csv`), 'utf8')).toMatch(/^seq,[^]*\n\d+,part_/);
    const { stdout } = await cli.run(['export', post_id, '-o', '-']);
    expect(stdout).toBe(readFileSync(inFolder('again.ndjson'), 'utf8'));
  });

  it('are not there if an export is interrupted', async () => {
    const row = readFileSync(inFolder('all.ndjson'), 'utf8').split('\n')[0]!;
    const server = createServer((_, response) => {
      response.writeHead(200, {
        'content-type': 'application/x-ndjson',
        'export-count': '2',
        'export-up-to-seq': '9',
      });
      response.write(`${row}\n`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { CAMPAIGN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const before = readdirSync(cli.folder);
    const exporting = cli.begin(['export', post_id, '-o', 'half.ndjson'], { env });
    const written = () => readdirSync(cli.folder).filter((name) => name.endsWith('.part'));
    while (written().length === 0) {
      await new Promise((resume) => setTimeout(resume, 5));
    }
    exporting.interrupt();
    const { code, stderr } = await exporting.ended;
    server.closeAllConnections();
    server.close();
    expect([code, stderr]).toEqual([130, 'Interrupted.\n']);
    expect(readdirSync(cli.folder)).toEqual(before);
  });

  it('are complete exports, or not', async () => {
    expect((await verified('export', 'all.ndjson')).stdout).toContain('2 responses');
    const changed = await verified('export', change('all.ndjson', '"cohort":5', '"cohort":4'));
    expect([changed.code, changed.stderr]).toEqual([8, expect.stringContaining('last line')]);
    const cut = readFileSync(inFolder('all.ndjson'), 'utf8').split('\n').slice(0, 2).join('\n');
    writeFileSync(inFolder('cut.ndjson'), `${cut}\n`);
    expect((await verified('export', 'cut.ndjson')).code).toBe(8);
    expect((await verified('export', 'all.csv')).code).toBe(8);
  });

  it('are genuine receipts, or not, with stored keys and without a network', async () => {
    const keys = (await cli.run(['api', 'getReceiptKeys'])).stdout;
    writeFileSync(inFolder('keys.json'), keys);
    writeFileSync(inFolder('receipt.json'), JSON.stringify({ receipt }));
    const env = { CAMPAIGN_URL: 'http://127.0.0.1:9' };
    const offline = ['verify', 'receipt', 'receipt.json', '--keys', 'keys.json'];
    const { code, stdout } = await cli.run(offline, { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/genuine[^]*Reward +100 USD/)]);
    expect((await verified('receipt', receipt)).code).toBe(0);
    const [head, body, signature] = receipt.split('.') as [string, string, string];
    const more = Buffer.from(body, 'base64url').toString().replace('"reward":100', '"reward":900');
    const forged = [head, Buffer.from(more).toString('base64url'), signature].join('.');
    expect(await verified('receipt', forged)).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('Not genuine'),
    });
    writeFileSync(inFolder('none.json'), '{ "keys": [] }');
    expect((await verified('receipt', receipt, '--keys', 'none.json')).code).toBe(8);
  });

  it('are genuine settlements, or not', async () => {
    const id = await settleOne(service.dataSource, storedCompany(company.companyId));
    expect((await cli.run(['settlements'])).stdout).toContain(id);
    expect((await cli.json('settlements', id)).items).toMatchObject([{ post_id, payments: 2 }]);
    const statement = (await cli.run(['api', 'getSettlement', '--settlement_id', id])).stdout;
    writeFileSync(inFolder('settlement.json'), statement);
    const argv = ['api', 'downloadSettlement', '--settlement_id', id, '-o', 'payments.ndjson'];
    expect((await cli.run(argv)).code).toBe(0);
    const genuine = await verified('settlement', 'settlement.json', 'payments.ndjson');
    expect([genuine.code, genuine.stdout]).toEqual([0, expect.stringMatching(/Net +200 USD/)]);
    const changed = change('payments.ndjson', '"amount":100', '"amount":900');
    expect((await verified('settlement', 'settlement.json', changed)).code).toBe(8);
    expect((await verified('settlement', receipt, 'payments.ndjson')).code).toBe(8);
  });

  it('are a whole archive, or not, as the service says too', async () => {
    const folder = inFolder('archive');
    mkdirSync(folder);
    const companies = await CompanyList.open(folder);
    const part = await CompanyArchive.open(join(folder, company.companyId), companies);
    const events = (await feedPage(company.api)).items;
    const file = '1-events.ndjson.gz';
    const describe = () => ({ kind: 'events', file, from: 1, to: events.length }) as const;
    await part.add({ pages: pagesOf(events), describe }, new Date());
    const whole = await verify(folder);
    expect(whole).toMatchObject({ rows: events.length, files: 1, problems: [] });
    expect(await cli.json('verify', 'archive', 'archive')).toEqual(whole);
    writeFileSync(join(folder, company.companyId, file), 'damaged');
    const { code, stdout } = await verified('archive', 'archive');
    expect([code, stdout]).toEqual([8, expect.stringContaining(`✗ ${company.companyId}: ${file}`)]);
  });
});

async function* pagesOf(rows: readonly object[]): AsyncGenerator<readonly object[]> {
  yield await Promise.resolve(rows);
}
