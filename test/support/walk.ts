import { eventually } from './eventually';
import { choice } from './builders';
import { Client, PASSWORD, registerCompany } from './client';
import { allEvents } from './feed';
import { begun, expectReconciled, liveQuestionnaire, submit } from './fielding';
import type { Instance } from './instances';
import { platformClient } from './platforms';
import { Receiver } from './receiver';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Milliseconds between a stored time and now that a slow machine explains. */
const RECENT = 60_000;

function expectRecent(time: unknown): void {
  expect(time).toMatch(TIME);
  expect(Math.abs(Date.now() - Date.parse(time as string))).toBeLessThan(RECENT);
}

/** Expects an address to register once and to log in, whatever its case. */
async function expectOneAddress(client: Client): Promise<void> {
  const register = (email: string) =>
    client.post('/api/company/create', { name: 'A Company', email, password: PASSWORD });
  expect((await register('INFO@EXAMPLE.COM')).status).toBe(200);
  expect((await register('info@example.com')).status).toBe(409);
  const email = 'Info@Example.com';
  expect((await client.post('/api/company/login', { email, password: PASSWORD })).status).toBe(200);
}

/**
 * Takes a campaign from its creation to a paid response, its webhook message and its results, and
 * expects the same values whatever the settings of the database. The instance needs
 * WEBHOOK_ALLOW_PRIVATE.
 */
export async function walkThrough({ client, sql }: Instance): Promise<void> {
  const receiver = await Receiver.start();
  try {
    const { account, api } = await registerCompany(client);
    const platform = await platformClient({ dataSource: sql, client });
    expectRecent((await account.get('/api/company/me')).data.created_at);
    await expectOneAddress(client);
    await api.post('/svc/webhook/create', { url: receiver.url });
    const questions = [choice({ options: ['İstanbul', 'IĞDIR', 'ığdır', 'Москва', '東京'] })];
    const title = String.raw`O'Brien \ "çay" Ж`;
    const fields = { title, content_url: 'https://example.com/a', reward_amount: 100 };
    const post_id = await liveQuestionnaire({ api }, questions, fields);
    const campaign = (await api.get(`/svc/campaign/${post_id}`)).data;
    expect(campaign).toMatchObject({ title, reward_amount: 100, is_live: true });
    expectRecent(campaign.created_at);
    const participation = await begun(platform, post_id, 'ığdır');
    expectRecent(participation.begun_at);
    const answers = [{ question: 1, value: 'IĞDIR' }];
    const submitted = (await submit(platform, participation, 6.5, answers)).data;
    expect(submitted).toMatchObject({ cohort: 4, reward: 80 });
    const { iat } = JSON.parse(
      Buffer.from(submitted.receipt.split('.')[1], 'base64url').toString(),
    ) as { iat: number };
    expect(Math.abs(Date.now() - iat * 1_000)).toBeLessThan(RECENT);
    for (const { created_at } of await allEvents(api, 4)) {
      expectRecent(created_at);
    }
    await receiver.until(1);
    expectRecent(receiver.messages[0]!.body.timestamp);
    await eventually(async () => {
      const { data } = await api.get(`/svc/campaign/${post_id}/results`);
      expect(data).toMatchObject({ funnel: { submitted: 1 } });
    });
    const { items } = (await api.get(`/svc/campaign/${post_id}/responses`)).data;
    expect(items).toHaveLength(1);
    expectRecent(items[0].submitted_at);
    await expectReconciled(api);
  } finally {
    await receiver.stop();
  }
}
