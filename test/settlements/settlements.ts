import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { createLocalJWKSet, compactVerify } from 'jose';
import { ReconciliationService } from '../../src/insight/ledger/reconciliation.service';
import { SettlementsService } from '../../src/operations/settlement/settlements.service';
import type { Client, TestCompany } from '../support/client';
import { temporaryDirectory } from '../support/databases';
import { begun, Begun, liveSurvey, submit } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { pagesOf } from '../support/pages';
import { generatePlatformKey, platformClient } from '../support/platforms';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { settle, settleOne, storedCompany } from '../support/settlements';
import { setTargeting } from '../support/targeting';

/** Pays those who drink no coffee for saying so. */
const SCREENING = {
  attributes: [],
  screening_questions: [
    { type: 'single_choice', key: 'cups', question: 'How many cups?', options: ['None', 'More'] },
  ],
  qualify: { all: [{ question: 'cups', op: 'is_not', value: 'None' }] },
  screen_out_reward: 1.5,
};

interface Line {
  post_id: string;
  participation_id: string;
  kind: string;
  amount: number;
  paid_at: string;
}

const linesIn = (file: string): Line[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const facts = ({ post_id, participation_id, kind, amount }: Line) => [
  post_id,
  participation_id,
  kind,
  amount,
];

describe('settlements', () => {
  const company: TestCompany = companyForEach();
  let platform: Client;
  let other: Client;
  let people = 0;

  beforeAll(async () => {
    platform = await platformClient(service, 'app');
    other = await platformClient(service, 'other app');
  });

  const owner = () => storedCompany(company.companyId);

  async function answer(postId: string, score: number, by = platform): Promise<Begun> {
    const place = await begun(by, postId, `respondent ${(people += 1)}`);
    expect((await submit(by, place, score)).status).toBe(200);
    return place;
  }

  async function reverse({ post_id, participation_id }: Begun, by = platform): Promise<void> {
    const reversal = { post_id, participation_id, reason: 'Bot' };
    expect((await by.post('/svc/fielding/reverse', reversal)).status).toBe(200);
  }

  /** The bytes of a settlement's file. */
  async function fileOf(id: string, by: Client = platform): Promise<string> {
    const response = await fetch(`${by.url}/svc/fielding/settlement/${id}/file`, {
      headers: by.headers,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    return response.text();
  }

  const read = (id: string, by: Client = platform) => by.get(`/svc/fielding/settlement/${id}`);

  const differences = () =>
    new ReconciliationService(service.dataSource).compareSettlements(owner());

  it('have every payment and reversal since the last one, by campaign, with a signed hash', async () => {
    const [first, second] = [await liveSurvey(company), await liveSurvey(company)];
    const paid = await answer(first, 9);
    const fraud = await answer(second, 7);
    const id = await settleOne(service.dataSource, owner());
    const { settlement, items, next_cursor } = (await read(id)).data;
    expect(settlement).toMatchObject({
      settlement_id: id,
      previous_settlement_id: null,
      platform: 'app',
      currency: 'USD',
      payments: 2,
      campaigns: 2,
      net: 180,
      state: 'closed',
      reference: null,
      paid_at: null,
    });
    expect([items, next_cursor]).toEqual([
      [
        { post_id: first, payments: 1, net: 100 },
        { post_id: second, payments: 1, net: 80 },
      ],
      null,
    ]);
    const file = await fileOf(id);
    expect(linesIn(file).map(facts)).toEqual([
      [first, paid.participation_id, 'settle', 100],
      [second, fraud.participation_id, 'settle', 80],
    ]);
    expect(createHash('sha256').update(file).digest('hex')).toBe(settlement.sha256);

    await reverse(fraud);
    await answer(first, 5);
    const next = await settleOne(service.dataSource, owner());
    const later = (await read(next)).data;
    expect(later.settlement).toMatchObject({ previous_settlement_id: id, payments: 2, net: -20 });
    expect(later.items).toEqual([
      { post_id: second, payments: 1, net: -80 },
      { post_id: first, payments: 1, net: 60 },
    ]);
    expect(linesIn(await fileOf(next)).map(facts)[0]).toEqual([
      second,
      fraud.participation_id,
      'reverse',
      -80,
    ]);
    // The first one is as it was.
    expect(await fileOf(id)).toBe(file);
    expect((await read(id)).data).toEqual({ settlement, items, next_cursor });

    const { keys } = (await platform.get('/svc/fielding/receipt-keys')).data;
    const verified = await compactVerify(settlement.statement, createLocalJWKSet({ keys }));
    expect(verified.protectedHeader).toEqual({
      alg: 'EdDSA',
      kid: keys[0].kid,
      typ: 'settlement+jwt',
    });
    const { sha256, payments, campaigns, net, closed_at } = settlement;
    expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual({
      mode: 'live',
      settlement_id: id,
      previous_settlement_id: null,
      platform: 'app',
      currency: 'USD',
      payments,
      campaigns,
      net,
      sha256,
      iss: 'campaign-service',
      iat: Math.floor(Date.parse(closed_at) / 1000),
    });
    expect(await differences()).toEqual([]);
  });

  it('have what screening pays, and no line for what paid nothing', async () => {
    const postId = await liveSurvey(company, { reward_amount: 100 });
    await company.api.patch('/svc/campaign/cohort-rewards', {
      post_id: postId,
      cohort_1_reward: 3,
      cohort_2_reward: 0,
      cohort_3_reward: 60,
      cohort_4_reward: 80,
      cohort_5_reward: 100,
    });
    await answer(postId, 3);
    await answer(postId, 9);
    const screened = await liveSurvey(company);
    const { status } = await setTargeting(company.api, screened, SCREENING);
    expect(status).toBe(200);
    const refused = await platform.post('/svc/fielding/begin', {
      post_id: screened,
      respondent_id: 'screened out',
      screening_answers: [{ question: 'cups', value: 'None' }],
    });
    expect(refused.body.error).toMatchObject({ code: 'screened_out', reward: 1.5 });
    const id = await settleOne(service.dataSource, owner());
    expect(linesIn(await fileOf(id)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['settle', 100],
      ['screen_out', 1.5],
    ]);
  });

  it('are of one platform, and of one company', async () => {
    const postId = await liveSurvey(company);
    await answer(postId, 9);
    await answer(postId, 7, other);
    const settlements = await settle(service.dataSource, owner());
    expect(settlements.map((each) => [each.platform, each.net])).toEqual([
      ['app', '100.00'],
      ['other app', '80.00'],
    ]);
    const { data } = await company.api.get('/svc/settlement/list');
    const [theirs, mine] = data.items as [any, any];
    expect([mine.platform, theirs.platform].toSorted()).toEqual(['app', 'other app']);
    const own = data.items.find((each: any) => each.platform === 'app');
    const foreign = data.items.find((each: any) => each.platform !== 'app');
    for (const path of ['', '/file']) {
      const refused = await platform.get(
        `/svc/fielding/settlement/${foreign.settlement_id}${path}`,
      );
      expectError(refused, 404, 'settlement_not_found');
    }
    // The company sees the same settlement, with the numbers of its feed.
    const { from_seq, to_seq, ...shown } = own;
    expect((await read(own.settlement_id)).data.settlement).toEqual(shown);
    expect([from_seq, to_seq]).toEqual([0, expect.any(Number)]);
    const one = await company.api.get(`/svc/settlement/${own.settlement_id}`);
    expect(one.data).toEqual({
      settlement: own,
      items: [{ post_id: postId, payments: 1, net: 100 }],
      next_cursor: null,
    });
    const listed = (await platform.get('/svc/fielding/settlement/list?limit=1')).data;
    expect(listed.items).toEqual([shown]);
    // A test key reads those of its test data alone.
    const { api: test } = await generateKey(company.account, service.client, { mode: 'test' });
    expectError(
      await test.get(`/svc/settlement/${own.settlement_id}`),
      404,
      'settlement_not_found',
    );
    expectError(await read(own.settlement_id, test), 404, 'settlement_not_found');
    await answer(await liveSurvey({ api: test }), 9, test);
    const inTest = await settleOne(service.dataSource, storedCompany(company.companyId, 'test'));
    expect((await read(inTest, test)).data.settlement).toMatchObject({ net: 100 });
    expectError(await read(inTest), 404, 'settlement_not_found');
    const weak = await generatePlatformKey(service.dataSource, { scopes: ['fielding:read'] });
    const unscoped = await read(own.settlement_id, service.client.withKey(weak.secret));
    expectError(unscoped, 403, 'insufficient_scope');
  });

  it('are listed newest first, page by page, and by state', async () => {
    const postId = await liveSurvey(company);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      await answer(postId, 9);
      ids.unshift(await settleOne(service.dataSource, owner()));
    }
    await new SettlementsService(service.dataSource).pay(ids[1]!, 'transfer 7');
    const namesOf = (pages: any[]) =>
      pages.flatMap(({ items }) => items.map((each: any) => each.settlement_id));
    expect(namesOf(await pagesOf(company.api, '/svc/settlement/list?limit=2'))).toEqual(ids);
    const unpaid = await pagesOf(company.api, '/svc/settlement/list?limit=2&state=closed');
    expect(namesOf(unpaid)).toEqual(ids.filter((_, index) => index !== 1));
    const paid = await pagesOf(company.api, '/svc/settlement/list?limit=2&state=paid');
    expect(namesOf(paid)).toEqual([ids[1]]);
    const ofPlatform = await pagesOf(platform, '/svc/fielding/settlement/list?limit=3');
    expect(namesOf(ofPlatform).slice(0, 5)).toEqual(ids);
    const cursor = (await company.api.get('/svc/settlement/list?limit=2')).data.next_cursor;
    const mixed = await company.api.get(`/svc/settlement/list?state=paid&cursor=${cursor}`);
    expectError(mixed, 400, 'validation_failed', [
      expect.objectContaining({ field: 'cursor', code: 'cursor_mismatch' }),
    ]);
  });

  it('show their campaigns page by page', async () => {
    const campaigns: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      campaigns.push(await liveSurvey(company));
      await answer(campaigns.at(-1)!, 9);
    }
    const id = await settleOne(service.dataSource, owner());
    const pages = await pagesOf(platform, `/svc/fielding/settlement/${id}?limit=2`);
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap(({ items }) => items.map((each: any) => each.post_id))).toEqual(campaigns);
  });

  it('are verified by the recipe of docs/money.md', async () => {
    await answer(await liveSurvey(company), 7);
    const id = await settleOne(service.dataSource, owner());
    const recipe = /```bash\n(api=[^]+?)```/.exec(readFileSync('docs/money.md', 'utf8'))![1]!;
    const folder = temporaryDirectory();
    const run = (script: string) =>
      promisify(execFile)('bash', ['-c', script], {
        cwd: folder,
        env: {
          ...process.env,
          base: platform.url,
          platform_key: platform.headers['x-api-key'],
          id,
        },
      });
    const verified = ['Signature Verified Successfully', 'settlement.ndjson: OK', '80.00', ''];
    expect((await run(recipe)).stdout.split('\n')).toEqual(verified);
    const changed = recipe.replace('sha256=', `sed -i 's/:80/:90/' settlement.ndjson\nsha256=`);
    expect((await run(changed)).stdout).toContain('settlement.ndjson: FAILED');
    rmSync(folder, { recursive: true });
  });
});
