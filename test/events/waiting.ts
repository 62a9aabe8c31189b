import { WaitingReaders } from '../../src/platform/event/waiting-readers.service';
import { anyPostId, createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { allEvents, askFeed, feedPage } from '../support/feed';
import { begun, liveSurvey, submit } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError } from '../support/refusals';
import { shortest } from '../support/shortest';
import { service, startService } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** Maximum milliseconds from a write to the response that has its event. */
const PROMPT = 1_000;

/** The longest wait, in seconds; what takes less than half of it has not waited. */
const WAIT = 20;
const NO_WAIT = 10_000;

describe('waiting for an event', () => {
  const company = companyForEach();

  beforeEach(async () => {
    await allEvents(company.api, 1);
  });

  /** Returns the result of some work and the milliseconds that it took. */
  async function timed<T>(work: Promise<T>): Promise<[T, number]> {
    const started = performance.now();
    return [await work, performance.now() - started];
  }

  const waiting = () => service.app.get(WaitingReaders).count;

  const untilWaiting = (count: number) =>
    eventually(() => {
      expect(waiting()).toBe(count);
    });

  it('ends within a second after a write', async () => {
    let after = 1;
    const afterWrite = await shortest(PROMPT, async () => {
      const reader = feedPage(company.api, { after, wait_seconds: WAIT });
      await untilWaiting(1);
      const { post_id } = await createSurvey(company.api);
      const [page, milliseconds] = await timed(reader);
      after += 1;
      expect(page).toMatchObject({
        items: [{ seq: after, subject: post_id }],
        covers: { from: after, to: after },
        last_seq: after,
        has_more: false,
      });
      expect(waiting()).toBe(0);
      return milliseconds;
    });
    expect(afterWrite).toBeLessThan(PROMPT);
  });

  it('does not begin if there is an event', async () => {
    const [page, milliseconds] = await timed(feedPage(company.api, { wait_seconds: WAIT }));
    expect(page.items).toHaveLength(1);
    expect(milliseconds).toBeLessThan(NO_WAIT);
  });

  it('ends empty after the given time', async () => {
    const [page, milliseconds] = await timed(feedPage(company.api, { after: 1, wait_seconds: 1 }));
    expect(page).toEqual({ items: [], covers: { from: 2, to: 1 }, last_seq: 1, has_more: false });
    expect(milliseconds).toBeGreaterThan(990);
    expect(milliseconds).toBeLessThan(NO_WAIT);
  });

  it('goes on if the filters leave the new events out, and covers them', async () => {
    const types = 'campaign.started';
    const reader = feedPage(company.api, { after: 1, types, wait_seconds: WAIT });
    await untilWaiting(1);
    const { post_id } = await createSurvey(company.api);
    await allEvents(company.api, 2);
    await untilWaiting(1);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    expect(await reader).toMatchObject({
      items: [{ seq: 3, type: types }],
      covers: { from: 2, to: 3 },
    });
    // Again if the event is numbered after the wait.
    await eventually(async () => {
      const { last_seq: after } = await feedPage(company.api);
      const late = feedPage(company.api, { after, types, wait_seconds: 1 });
      await createSurvey(company.api);
      expect(await late).toEqual({
        items: [],
        covers: { from: after + 1, to: after + 1 },
        last_seq: after + 1,
        has_more: false,
      });
    });
  });

  it('wakes no reader for events that its filters leave out, and covers them', async () => {
    const { post_id } = await createSurvey(company.api);
    await allEvents(company.api, 2);
    const { logger } = service.dataSource;
    const logQuery = logger.logQuery.bind(logger);
    let pages = 0;
    logger.logQuery = (sql, parameters = []) => {
      const [, , , ...filters] = parameters as unknown[];
      const isFiltered = filters.some((filter) => filter !== null);
      pages += sql.includes('octet_length(changes') && isFiltered ? 1 : 0;
    };
    const FILTERS = [{ types: 'campaign.updated' }, { subject: post_id }, { post_id }];
    const readers = Array.from({ length: 40 }, (_, index) =>
      feedPage(company.api, { after: 2, wait_seconds: WAIT, ...FILTERS[index % FILTERS.length] }),
    );
    await untilWaiting(40);
    for (let seq = 3; seq <= 6; seq += 1) {
      await createSurvey(company.api);
      await allEvents(company.api, seq);
    }
    expect([pages, waiting()]).toEqual([0, 40]);
    logger.logQuery = logQuery;
    await company.api.patch('/svc/campaign/update', { post_id, title: 'New' });
    for (const page of await Promise.all(readers)) {
      expect(page).toMatchObject({ items: [{ seq: 7 }], covers: { from: 3, to: 7 } });
    }
  });

  it('wakes the readers of a campaign and of a type for these events only', async () => {
    const { post_id } = await createSurvey(company.api);
    await allEvents(company.api, 2);
    const bySubject = feedPage(company.api, { after: 2, subject: post_id, wait_seconds: WAIT });
    const byType = feedPage(company.api, {
      after: 2,
      types: 'campaign.started,campaign.stopped',
      wait_seconds: WAIT,
    });
    await untilWaiting(2);
    await createSurvey(company.api);
    await company.api.patch('/svc/campaign/update', { post_id, title: 'New' });
    expect(await bySubject).toMatchObject({ items: [{ seq: 4, subject: post_id }] });
    expect(waiting()).toBe(1);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    expect(await byType).toMatchObject({
      items: [{ seq: 5, type: 'campaign.started' }],
      covers: { from: 3, to: 5 },
    });
  });

  it('wakes the readers of a campaign for the responses to it', async () => {
    const platform = await platformClient(service);
    const [post_id, other] = [await liveSurvey(company), await liveSurvey(company)];
    await allEvents(company.api, 5);
    const reader = feedPage(company.api, { after: 5, post_id, wait_seconds: WAIT });
    await untilWaiting(1);
    await submit(platform, await begun(platform, other, 'ann'), 5);
    await allEvents(company.api, 6);
    await untilWaiting(1);
    await submit(platform, await begun(platform, post_id, 'ann'), 5);
    expect(await reader).toMatchObject({
      items: [{ seq: 7, type: 'response.submitted', changes: { post_id: { new: post_id } } }],
      covers: { from: 6, to: 7 },
    });
  });

  it('is refused at its end if its key was revoked meanwhile, by another process too', async () => {
    const { api, key_id } = await generateKey(company.account, service.client);
    await allEvents(company.api, 2);
    const reader = askFeed(api, { after: 2, wait_seconds: WAIT });
    await untilWaiting(1);
    await service.dataSource.query('UPDATE api_key SET revoked_at = now() WHERE key_id = $1', [
      key_id,
    ]);
    await createSurvey(company.api);
    expectError(await reader, 401, 'api_key_revoked');
  });

  it('is refused at its end if its key lost the scope meanwhile', async () => {
    const { api, key_id } = await generateKey(company.account, service.client);
    await allEvents(company.api, 2);
    const reader = askFeed(api, { after: 2, wait_seconds: WAIT });
    await untilWaiting(1);
    await service.dataSource.query(
      "UPDATE api_key SET scopes = '{campaigns:read}' WHERE key_id = $1",
      [key_id],
    );
    expectError(await reader, 403, 'insufficient_scope');
  });

  it('ends when the client hangs up', async () => {
    const controller = new AbortController();
    const asked = fetch(`${service.client.url}/svc/event/list?after=1&wait_seconds=20`, {
      headers: company.api.headers,
      signal: controller.signal,
    });
    await untilWaiting(1);
    controller.abort();
    await expect(asked).rejects.toThrow();
    await untilWaiting(0);
  });

  it('is woken by events that another process has numbered', async () => {
    let after = 1;
    const afterWrite = await shortest(PROMPT, async () => {
      const other = anyPostId();
      const reader = feedPage(company.api, { after, wait_seconds: WAIT });
      await untilWaiting(1);
      after += 1;
      await service.dataSource.query(
        `INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
         VALUES ($1, stored_id($2), 1, 'campaign.updated', $3, 'key_x', '{"title": {}}', now())`,
        [storedEnvironment(company.companyId), other, after],
      );
      await service.dataSource.query(
        'UPDATE event_sequence SET last_seq = $2 WHERE company_id = $1',
        [storedEnvironment(company.companyId), after],
      );
      const [page, milliseconds] = await timed(reader);
      expect(page.items).toMatchObject([{ seq: after, subject: other }]);
      return milliseconds;
    });
    expect(afterWrite).toBeLessThan(PROMPT);
  });

  it('is for fifty requests of a company at once; others get an answer at once', async () => {
    const { api: test } = await generateKey(company.account, service.client, { mode: 'test' });
    await allEvents(test, 1);
    const readers = Array.from({ length: 50 }, () =>
      feedPage(company.api, { after: 1, wait_seconds: WAIT }),
    );
    await untilWaiting(50);
    const [page, milliseconds] = await timed(
      feedPage(company.api, { after: 1, wait_seconds: WAIT }),
    );
    expect(page.items).toEqual([]);
    expect(milliseconds).toBeLessThan(NO_WAIT);
    const [, refused] = await timed(feedPage(test, { after: 1, wait_seconds: WAIT }));
    expect(refused).toBeLessThan(NO_WAIT);
    const other = await registerCompany(service.client);
    await allEvents(other.api, 1);
    const neighbour = feedPage(other.api, { after: 1, wait_seconds: WAIT });
    await untilWaiting(51);
    await createSurvey(other.api);
    expect((await neighbour).items).toMatchObject([{ seq: 2 }]);
    await createSurvey(company.api);
    for (const { items } of await Promise.all(readers)) {
      expect(items).toMatchObject([{ seq: 2 }]);
    }
  });

  it('ends when the service stops', async () => {
    const own = await startService();
    const { api } = await registerCompany(own.client);
    await allEvents(api, 1);
    const reader = feedPage(api, { after: 1, wait_seconds: WAIT });
    const readers = own.app.get(WaitingReaders);
    await eventually(() => {
      expect(readers.count).toBe(1);
    });
    const [, milliseconds] = await timed(own.close());
    expect(milliseconds).toBeLessThan(NO_WAIT);
    expect((await reader).items).toEqual([]);
  });

  it('holds no database connection', async () => {
    const readers = Array.from({ length: 30 }, () =>
      feedPage(company.api, { after: 1, wait_seconds: WAIT }),
    );
    await untilWaiting(30);
    expect((await company.api.get('/svc/campaign/list')).status).toBe(200);
    await createSurvey(company.api);
    await Promise.all(readers);
  });
});
