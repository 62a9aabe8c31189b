import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { QUESTIONS } from '../support/every-type';
import { service } from '../support/service';

const CAMPAIGN = {
  ...{ type: 'survey', title: 'Coffee', description: 'd', category: 'c', tagline: 't' },
  ...{ reward_amount: 10, max_responses: 100, is_live: true },
};
const IMAGES = ['a', 'b', 'c'].map((label) => ({ url: `https://example.com/${label}.png`, label }));

describe('campaign results', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.start();
    const { account } = await registerCompany(service.client);
    const { api_key } = (await account.post('/svc/api-key/generate', { mode: 'test' })).data;
    cli.env.CAMPAIGN_URL = service.client.url;
    cli.env.CAMPAIGN_API_KEY = api_key;
  }, 180_000);

  afterAll(() => cli.stop());

  /** Lets respondents answer a campaign, and returns what the command prints. */
  async function resultsOf(external_ref: string, content: object): Promise<string> {
    const document = JSON.stringify({ ...CAMPAIGN, external_ref, ...content });
    writeFileSync(join(cli.folder, 'campaign.json'), document);
    const applied = await cli.run(['apply']);
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    await cli.json('simulate', '--respondents', '20', '--seed', '7');
    const { code, stdout, stderr } = await cli.run(['results']);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  }

  it('show questions of every type', async () => {
    const printed = await resultsOf('every-type', { questions: QUESTIONS });
    QUESTIONS.forEach(({ question }, index) =>
      expect(printed).toContain(`${index + 1}. ${question}`),
    );
    for (const line of [
      /Ticked +█{20} +100 % +\d+ +95 %: [\d.]+ to 100 %/,
      /Milk +█+ +\d+ % +\d+/,
      /mean [\d.]+, 95 %: [\d.]+ to [\d.]+/,
      /NPS -?[\d.]+/,
      /median [\d.]+/,
      /\d{4}-\d\d +█/,
      /Mean rank +First/,
      /Price:\n +Bad +█* +\d+ %/,
      /texts: campaign export/,
    ]) {
      expect(printed).toMatch(line);
    }
    expect(printed).not.toMatch(/undefined|NaN|\[object/);
  });

  it.each([
    ['binary', { images: IMAGES.slice(0, 2) }, /a +█* +\d+ % +\d+ +95 %/],
    ['round_robin', { images: IMAGES }, /Image +Rank +Wins\n +a +\d +\d+/],
    ['image_slider', { images: IMAGES }, /Image +Mean +Ratings\n +a +[\d.]+ +\d+/],
  ])('show images of the format %s', async (format, content, line) => {
    const printed = await resultsOf(format, { format, question: 'Which?', ...content });
    expect(printed).toMatch(line);
    expect(printed).not.toMatch(/undefined|NaN|\[object/);
  });

  it('need a live campaign to simulate respondents', async () => {
    const document = { ...CAMPAIGN, external_ref: 'draft', is_live: false, questions: QUESTIONS };
    writeFileSync(join(cli.folder, 'campaign.json'), JSON.stringify(document));
    await cli.run(['apply']);
    const { code, stdout, stderr } = await cli.run(['simulate', 'draft', '--respondents', '3']);
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      expect.stringMatching(/is draft[^]*campaign start draft\n/),
    ]);
    expect((await cli.run(['balance'])).stdout).toMatch(/does not pay in advance/);
  });

  it('have a link to a page, and JSON for programs', async () => {
    await resultsOf('every-type', { questions: QUESTIONS });
    const { stdout } = await cli.run(['results', 'every-type', '--link']);
    const url = /^(http\S+\/results\/crl_\w+)\n/.exec(stdout)![1]!;
    expect((await fetch(url)).status).toBe(200);
    const found = await cli.json('results', 'every-type');
    expect(found.questions).toHaveLength(QUESTIONS.length);
    const preview = await cli.run(['preview', 'every-type']);
    expect((await fetch(preview.stdout.split('\n')[0]!)).status).toBe(200);
  });
});
