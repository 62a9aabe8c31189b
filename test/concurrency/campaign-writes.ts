import { createSurvey, question } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { roundsOf, THOROUGH } from '../support/thorough';

/** Rounds of writers, each of which writes until the others are done. */
const ROUNDS = THOROUGH ? 150 : roundsOf(40);

describe('a campaign with many concurrent writers', () => {
  const company = companyForAll();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  async function repeat<T>(times: number, work: (round: number) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (let round = 0; round < times; round += 1) {
      results.push(await work(round));
    }
    return results;
  }

  it('applies or refuses If-Match with a version that is reached meanwhile', async () => {
    let version = 1;
    let toggling = true;
    const toggle = async () => {
      while (toggling) {
        const toggled = { post_id, is_live: version % 2 === 1 };
        const { headers } = await company.api.patch('/svc/campaign/toggle-live', toggled);
        version = Number(headers.get('etag')?.replaceAll('"', ''));
      }
    };
    const update = async (path: string, body: object) =>
      (
        await company.api
          .with({ 'if-match': `"${version + 1}"` })
          .send(path.endsWith('questions') ? 'POST' : 'PATCH', path, { post_id, ...body })
      ).status;
    const togglers = Promise.all([toggle(), toggle()]);
    const statuses = await Promise.all([
      repeat(ROUNDS, (round) => update('/svc/campaign/update', { title: `Title ${round}` })),
      repeat(ROUNDS, (round) => update('/svc/campaign/update', { tagline: `Line ${round}` })),
      repeat(ROUNDS, () => update('/svc/survey/questions', { questions: [question()] })),
    ]);
    toggling = false;
    await togglers;
    expect(new Set([...statuses.flat(), 200, 412])).toEqual(new Set([200, 412]));
    expect(statuses.flat()).toContain(412);
  });

  it('lists the newest question set of its history as the current one', async () => {
    let writing = true;
    const write = async () => {
      while (writing) {
        const body = { post_id, questions: [question()] };
        await company.api.post('/svc/survey/questions', body);
      }
    };
    await company.api.post('/svc/survey/questions', { post_id, questions: [question()] });
    const writers = Promise.all([write(), write(), write(), write()]);
    const pages = await Promise.all(
      [1, 2].map(() =>
        repeat(ROUNDS, () => company.api.get(`/svc/campaign/${post_id}/questions/history?limit=3`)),
      ),
    );
    writing = false;
    await writers;
    for (const { body } of pages.flat()) {
      const current = (body.data.items as { is_current: boolean }[]).map((set) => set.is_current);
      expect(current.indexOf(true)).toBe(0);
      expect(current.lastIndexOf(true)).toBe(0);
    }
  });
});
