import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  choice,
  createAdvertisement,
  createImageSurvey,
  createSurvey,
  images,
  question,
} from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { begun, start, submit } from '../support/fielding';
import { platformClient } from '../support/platforms';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';

/** The rows of the table of answers in docs/fielding.md. */
function documentedAnswers(): [asked: string, answers: string, response: string][] {
  const page = readFileSync(join(__dirname, '../../docs/fielding.md'), 'utf8');
  const rows = page.matchAll(/^\| (.+?) +\| `(\[.*\])` +\| (.+?) +\|$/gm);
  return [...rows].map(([, asked, answers, response]) => [asked!, answers!, response!]);
}

async function createAsking(api: Client, ...questions: object[]): Promise<string> {
  const { post_id } = await createSurvey(api);
  await api.post('/svc/survey/questions', { post_id, questions });
  return post_id;
}

/** What the first column of the table means. */
const CAMPAIGNS: Readonly<Record<string, (api: Client) => Promise<string>>> = {
  'A `descriptive` question': (api) => createAsking(api, question({ type: 'descriptive' })),
  'A `text` question': (api) => createAsking(api, question({ type: 'text' })),
  'A `single_choice` question: light, dark': (api) =>
    createAsking(api, choice({ options: ['light', 'dark'] })),
  'A `multiple_choice` question: milk, sugar, honey': (api) =>
    createAsking(api, choice({ type: 'multiple_choice', options: ['milk', 'sugar', 'honey'] })),
  'Two `text` questions, the second with `required: false`': (api) =>
    createAsking(api, question({ type: 'text' }), question({ type: 'text', required: false })),
  'A `binary` survey': async (api) => (await createImageSurvey(api, 'binary')).post_id,
  'An `image_slider` of 2 images, from -1 to 1 in steps of 0.5': async (api) => {
    const scale = { min: -1, max: 1, step: 0.5 };
    return (await createImageSurvey(api, 'slider', { images: images(2), scale })).post_id;
  },
  'A `round_robin` of 3 images': async (api) =>
    (await createImageSurvey(api, 'round-robin', { images: images(3) })).post_id,
  'Nothing: an advertisement without feedback': async (api) =>
    (await createAdvertisement(api)).post_id,
};

describe('the table of answers in docs/fielding.md', () => {
  const rows = documentedAnswers();
  let api: Client;
  let platform: Client;

  beforeAll(async () => {
    ({ api } = await registerCompany(service.client));
    platform = await platformClient(service);
  });

  it('has right and wrong answers to everything that a campaign can ask', () => {
    for (const asked of Object.keys(CAMPAIGNS)) {
      const responses = rows.filter(([each]) => each === asked).map(([, , response]) => response);
      expect([asked, responses]).toEqual([asked, expect.arrayContaining(['200'])]);
      expect([asked, responses.length]).not.toEqual([asked, 1]);
    }
  });

  it.each(rows)('is true: %s, %s, %s', async (asked, answers, response) => {
    const postId = await CAMPAIGNS[asked]!(api);
    await start(api, postId);
    const participation = await begun(platform, postId, 'user-1');
    const answer = await submit(platform, participation, 5, JSON.parse(answers) as unknown[]);
    if (response === '200') {
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    } else {
      const [, field = '', code = ''] = /^`(.+)` `(\w+)`$/.exec(response) ?? [];
      expectInvalid(answer, { [field]: code });
    }
  });
});
