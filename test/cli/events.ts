import { registerCompany, TestCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { FeedEvent, feedPage } from '../support/feed';
import { liveSurvey } from '../support/fielding';
import { Receiver, status } from '../support/receiver';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';

const SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`;

describe('the events of the command line', () => {
  let cli: CommandLine;
  let sdk: Sdk;
  let company: TestCompany;

  beforeAll(async () => {
    cli = await CommandLine.start();
    ({ sdk } = await installedSdk());
    company = await registerCompany(service.client);
    cli.env.CAMPAIGN_URL = service.client.url;
    cli.env.CAMPAIGN_API_KEY = company.api.headers['x-api-key']!;
  }, 180_000);

  afterAll(() => cli.stop());

  const allEvents = async (): Promise<FeedEvent[]> =>
    (await feedPage(company.api, { limit: 1_000 })).items;

  const numbersIn = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).seq);

  it('come once, from where the last run stopped', async () => {
    await liveSurvey(company);
    const stored = (await allEvents()).map(({ seq }) => seq);
    const first = await cli.run(['events', 'tail', '--once', '--json']);
    expect(numbersIn(first.stdout)).toEqual(stored);
    expect((await cli.run(['events', 'tail', '--once', '--json'])).stdout).toBe('');

    const following = cli.begin(['events', 'tail', '--json']);
    await liveSurvey(company);
    await following.prints('campaign.started');
    following.interrupt();
    const { code, stdout } = await following.ended;
    expect([code, numbersIn(stdout)]).toEqual([
      0,
      (await allEvents()).map(({ seq }) => seq).filter((seq) => !stored.includes(seq)),
    ]);
    expect((await cli.run(['events', 'tail', '--once', '--json'])).stdout).toBe('');

    const again = await cli.run(['events', 'tail', '--once', '--json', '--after', '0']);
    expect(numbersIn(again.stdout)[0]).toBe(1);
    const other = await cli.run(['events', 'tail', '--once', '--name', 'other']);
    expect(other.stdout).toMatch(/^1 \S+Z api_key.generated key_/);
  });

  it('are only those of the types and of the campaign', async () => {
    const post_id = await liveSurvey(company);
    const argv = ['events', 'tail', '--once', '--json', '--campaign', post_id];
    const { stdout } = await cli.run([...argv, '--types', 'campaign.started']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ type, subject }) => [type, subject])).toEqual([
      ['campaign.started', post_id],
    ]);
  });

  it('are sent to a URL as a webhook would, without a webhook', async () => {
    const receiver = await Receiver.start();
    const env = { CAMPAIGN_WEBHOOK_SECRET: SECRET };
    const argv = ['listen', '--forward-to', receiver.url, '--types', 'campaign.started'];
    await allEvents();
    const listening = cli.begin(argv, { env });
    await listening.prints('Ctrl-C ends it');
    const post_id = await liveSurvey(company);
    const [{ text, headers }] = (await receiver.until(1)) as [(typeof receiver.messages)[0]];
    const message = await sdk.verifyWebhook(text, headers, SECRET);
    const stored = (await allEvents()).find(
      ({ type, subject }) => type === 'campaign.started' && subject === post_id,
    );
    expect(message).toEqual({
      type: 'campaign.started',
      timestamp: stored!.created_at,
      data: stored,
    });
    receiver.respond = status(500);
    await liveSurvey(company);
    await listening.prints(/campaign.started 500/);
    await receiver.stop();
    await liveSurvey(company);
    await listening.prints('ECONNREFUSED');
    listening.interrupt();
    expect(await listening.ended).toMatchObject({ code: 0, stderr: '' });
    expect((await company.api.get('/svc/webhook/list')).data.items).toEqual([]);
    expect(receiver.messages).toHaveLength(2);
  });

  it('have a new secret in each run, which is printed for the receiver', async () => {
    const secrets: unknown[] = [];
    for (const _ of [1, 2]) {
      const listening = cli.begin(['listen', '--forward-to', 'http://127.0.0.1:9', '--json']);
      await listening.prints('listening');
      listening.interrupt();
      secrets.push(JSON.parse((await listening.ended).stdout).listening.secret);
    }
    expect(secrets[0]).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(secrets[0]).not.toBe(secrets[1]);
  });
});
