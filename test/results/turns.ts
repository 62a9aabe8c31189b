import { ResultsTurns } from '../../src/insight/results/results-turns.service';
import { choice, createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('long results', () => {
  const company = companyForAll();
  let paths: Record<'results' | 'page', string>;

  beforeAll(async () => {
    const { post_id } = await createSurvey(company.api);
    const options = Array.from({ length: 250 }, (_, option) => `Option ${option}`);
    const questions = Array.from({ length: 20 }, () => choice({ options }));
    await company.api.post('/svc/survey/questions', { post_id, questions });
    const link = await company.api.post('/svc/campaign/results-link', { post_id });
    paths = {
      results: `/svc/campaign/${post_id}/results`,
      page: new URL(link.data.url).pathname,
    };
  });

  afterEach(() => jest.restoreAllMocks());

  const open = (path: string, signal?: AbortSignal) =>
    fetch(service.client.url + path, { headers: company.api.headers, signal });

  /** Waits before each turn, and returns what became of the turns. */
  function beforeTurns(wait: (gone: AbortSignal) => Promise<unknown>) {
    const turns = service.app.get(ResultsTurns);
    const next = turns.next.bind(turns);
    return jest.spyOn(turns, 'next').mockImplementation(async (gone) => {
      await wait(gone);
      await next(gone);
    });
  }

  it.each([
    ['results', ['the tally', 'its submissions', 'its payments', 'the questions']],
    ['page', ['the tally', 'its submissions', 'its payments', 'the questions', 'their plots']],
  ] as const)('let other requests have their turns: %s', async (path, parts) => {
    const other = await registerCompany(service.client);
    const inTurns = jest.spyOn(service.app.get(ResultsTurns), 'forEach');
    const turns = beforeTurns(async () =>
      expect((await other.api.get('/svc/campaign/list')).status).toBe(200),
    );
    expect((await open(paths[path])).status).toBe(200);
    expect(inTurns).toHaveBeenCalledTimes(parts.length);
    // Nothing was submitted.
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(parts.length - 2);
  });

  it.each(['results', 'page'] as const)('end when their client has gone: %s', async (path) => {
    const client = new AbortController();
    const turns = beforeTurns((gone) => {
      client.abort();
      return eventually(() => expect(gone.aborted).toBe(true));
    });
    await expect(open(paths[path], client.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => expect(turns).toHaveBeenCalled());
    await expect(turns.mock.results[0]!.value).rejects.toMatchObject({ code: 'request_timeout' });
    expect(turns).toHaveBeenCalledTimes(1);
  });
});
