import type { Socket } from 'node:net';
import { CROSS } from '../../src/insight/crosstab/crosstab.statements';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { choice } from '../support/builders';
import { eventually } from '../support/eventually';
import { Begun, liveQuestionnaire, submitAll } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { service } from '../support/service';
import { tamper } from '../support/tampering';

describe('a cross tab that is counted from the stored answers', () => {
  const platform = platformForAll();
  const company = companyForEach();
  let postId: string;
  let parts: Begun[];

  const read = (signal?: AbortSignal) =>
    fetch(`${service.client.url}/svc/campaign/${postId}/results/crosstab?rows=1&columns=platform`, {
      headers: company.api.headers,
      signal,
    });

  const answered = async () => (await (await read()).json()).data.answered;

  beforeEach(async () => {
    postId = await liveQuestionnaire(company, [choice({ options: ['yes', 'no'] })]);
    parts = await submitAll(
      platform,
      postId,
      ['yes', 'no', 'yes'].map((value) => [9, [{ question: 1, value }]]),
    );
  });

  afterEach(() => jest.restoreAllMocks());

  /** Counts the statements that read answers; `before` runs before each of them. */
  function watchCounting(before?: () => Promise<unknown>): { statements: number } {
    const watched = { statements: 0 };
    const { dataSource } = service;
    const query = dataSource.query.bind(dataSource);
    jest.spyOn(dataSource, 'query').mockImplementation(async (...args) => {
      if (args[0] === CROSS) {
        watched.statements += 1;
        await before?.();
      }
      return query(...args);
    });
    return watched;
  }

  it('is counted once until the company has a later event', async () => {
    const watched = watchCounting();
    expect(await answered()).toBe(3);
    const { statements } = watched;
    expect(statements).toBeGreaterThan(0);
    expect(await answered()).toBe(3);
    expect(watched.statements).toBe(statements);
    const { participation_id } = parts[0]!;
    const reversal = { post_id: postId, participation_id, reason: 'Fraud' };
    expect((await platform.post('/svc/fielding/reverse', reversal)).status).toBe(200);
    expect(await answered()).toBe(2);
    expect(watched.statements).toBe(2 * statements);
  });

  it('ends when its client has gone, and leaves its place to the next one', async () => {
    const client = new AbortController();
    let closed = false;
    service.app.getHttpServer().once('connection', (socket: Socket) => {
      socket.once('close', () => (closed = true));
    });
    const watched = watchCounting(() => {
      client.abort();
      return eventually(() => expect(closed).toBe(true));
    });
    await expect(read(client.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await answered()).toBe(3);
    // One of the table that has ended; of the other one the responses, then that there are no more.
    expect(watched.statements).toBe(1 + 2);
  });
});

describe('results', () => {
  const company = companyForEach();

  it('say how far behind the events they are, if one read cannot count all', async () => {
    const postId = await liveQuestionnaire(company, [choice()]);
    await company.api.get(`/svc/campaign/${postId}/results`);
    const events = 22_000;
    const [[{ last }]] = await tamper(service.dataSource, (session) =>
      session.query(
        `WITH latest AS (
           SELECT * FROM event WHERE company_id = $1 ORDER BY seq DESC LIMIT 1
         ), copied AS (
           INSERT INTO event (company_id, subject, version, type, actor, changes, created_at, seq)
           SELECT company_id, subject, version + n, type, actor, changes, created_at, seq + n
           FROM latest CROSS JOIN generate_series(1, $2) AS n
         )
         UPDATE event_sequence SET last_seq = last_seq + $2 WHERE company_id = $1
         RETURNING last_seq::integer AS last`,
        [storedEnvironment(company.companyId), events],
      ),
    );
    const read = async (part: string) => {
      const { as_of_seq, behind } = (
        await company.api.get(`/svc/campaign/${postId}/results${part}`)
      ).data;
      expect(as_of_seq + behind).toBe(last);
      return behind;
    };
    expect(await read('/crosstab?rows=1&columns=cohort')).toBeGreaterThan(0);
    expect(await read('')).toBe(0);
  });
});
