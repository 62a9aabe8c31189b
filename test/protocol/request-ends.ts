import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createSurvey, question } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begun, start, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { Metrics } from '../support/metrics';
import { service } from '../support/service';
import { CampaignService } from '../../src/campaigns/campaign/campaign.service';
import { SequencerService } from '../../src/platform/event/sequencer.service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const REQUESTS = 'http_request_duration_seconds_count';
const ROUTE = 'route="/svc/campaign/:post_id/responses/export"';

describe('the end of a request', () => {
  let metrics: Metrics;
  let company: TestCompany;
  let api: TestCompany['api'];
  let postId: string;
  let path: string;

  beforeAll(async () => {
    metrics = Metrics.of(service);
    company = await registerCompany(service.client);
    ({ api } = await generateKey(company.account, service.client, { mode: 'test' }));
    const { post_id } = await createSurvey(api);
    postId = post_id;
    await api.post('/svc/survey/questions', { post_id, questions: [question()] });
    await start(api, post_id);
    await submit(api, await begun(api, post_id, 'ann'), 5, [{ question: 1, value: 'Tea' }]);
    path = `/svc/campaign/${post_id}/responses/export`;
    await expectRows(1);
  });

  const download = (id: string, query = '', headers = {}) =>
    fetch(`${api.url}${path}?${query}`, {
      headers: { ...api.headers, 'accept-encoding': 'identity', 'x-request-id': id, ...headers },
    });

  async function expectRows(count: number): Promise<void> {
    await eventually(async () => {
      const response = await download('ends-ready');
      expect(response.headers.get('export-count')).toBe(String(count));
      await response.text();
    });
  }

  /** Cuts the connection of the next request as soon as the service knows it. */
  function cutNext(when: (response: ServerResponse, cut: () => void) => void): void {
    const server: Server = service.app.getHttpServer();
    server.once('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      when(response, () => socket.destroy());
    });
  }

  const errorsOf = (id: string) =>
    service.log.lines().filter(({ request_id, err }) => request_id === id && err);

  const levels = async () => ({
    asked: await metrics.read('service_level_total{promise="available"}'),
    kept: await metrics.read('service_level_success_total{promise="available"}'),
  });

  /** Makes the answers of the one response unreadable, or readable again. */
  const setAnswers = (answers: unknown[]) =>
    service.dataSource.query('UPDATE participation SET answers = $1 WHERE company_id = $2', [
      JSON.stringify(answers),
      storedEnvironment(company.companyId.replace('co_', 'test_')),
    ]);

  it('has an error line with the cause if a fault breaks an export off', async () => {
    const counted = `${REQUESTS}{method="GET",${ROUTE},status="200",mode="test"}`;
    const failed = `http_request_errors_total{method="GET",${ROUTE},code="internal_error",mode="test"}`;
    const before = await metrics.read(counted);
    const failedBefore = await metrics.read(failed);
    const { asked, kept } = await levels();
    // The head of the table is sent before the first row fails.
    await setAnswers([null]);
    const response = await download('ends-fault', 'format=csv');
    await expect(response.text()).rejects.toThrow();
    await setAnswers([{ question: 1, value: 'Tea' }]);
    expect(await service.log.requestLine('ends-fault')).toMatchObject({
      level: 'error',
      status: 200,
      error_code: 'internal_error',
    });
    expect(errorsOf('ends-fault')).toEqual([
      expect.objectContaining({
        level: 'error',
        err: expect.objectContaining({ type: 'TypeError', stack: expect.any(String) }),
      }),
    ]);
    await metrics.expect(counted, before + 1);
    await metrics.expect(failed, failedBefore + 1);
    expect(await levels()).toEqual({ asked: asked + 1, kept });
  });

  it('has one line without an error if its client cuts an export', async () => {
    const counted = `${REQUESTS}{method="GET",${ROUTE},status="200",mode="test"}`;
    const before = await metrics.read(counted);
    const { asked, kept } = await levels();
    let spare = -1;
    cutNext((response, cut) => {
      response.once('pipe', (content: Readable) =>
        content.once('data', () => {
          spare = response.getMaxListeners() - response.listenerCount('close');
          cut();
        }),
      );
    });
    await expect(download('ends-cut').then((each) => each.text())).rejects.toThrow();
    const line = await service.log.requestLine('ends-cut');
    expect(line).toMatchObject({ level: 'info', status: 200 });
    expect(line).not.toHaveProperty('error_code');
    expect(errorsOf('ends-cut')).toEqual([]);
    // Node would warn of a leak.
    expect(spare).toBeGreaterThanOrEqual(0);
    await metrics.expect(counted, before + 1);
    expect(await levels()).toEqual({ asked: asked + 1, kept: kept + 1 });
  });

  it('counts with the status that was to be sent if its client gives up before', async () => {
    const counted = (status: number) =>
      `${REQUESTS}{method="GET",route="/svc/campaign/:post_id",status="${status}",mode="test"}`;
    const before = await metrics.read(counted(404));
    const { asked, kept } = await levels();
    cutNext((response, cut) => {
      // Earlier, the service could notice it while it works, and end that.
      const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => any;
      response.writeHead = (...args: unknown[]) => {
        cut();
        return writeHead(...args);
      };
    });
    await expect(
      api.with({ 'x-request-id': 'ends-early' }).get('/svc/campaign/post_missing'),
    ).rejects.toThrow();
    expect(await service.log.requestLine('ends-early')).toMatchObject({
      status: 404,
      error_code: 'campaign_not_found',
    });
    await metrics.expect(counted(404), before + 1);
    expect(await levels()).toEqual({ asked: asked + 1, kept: kept + 1 });
  });

  it('has the events of a change numbered at once if its client has gone before', async () => {
    const campaigns = service.app.get(CampaignService);
    const update = campaigns.update.bind(campaigns);
    let gone: (() => Promise<unknown>) | undefined;
    cutNext((response, cut) => {
      gone = () => {
        cut();
        return once(response, 'close');
      };
    });
    const leaving = jest.spyOn(campaigns, 'update').mockImplementationOnce(async (...request) => {
      const updated = await update(...request);
      await gone?.();
      return updated;
    });
    const wake = jest.spyOn(service.app.get(SequencerService), 'wake');
    try {
      await expect(
        api
          .with({ 'x-request-id': 'ends-numbered' })
          .patch('/svc/campaign/update', { post_id: postId, title: 'Tea habits' }),
      ).rejects.toThrow();
      expect(await service.log.requestLine('ends-numbered')).toMatchObject({ status: 200 });
      const companyId = storedEnvironment(company.companyId.replace('co_', 'test_'));
      expect(wake).toHaveBeenCalledWith(companyId);
    } finally {
      leaving.mockRestore();
      wake.mockRestore();
    }
  });

  it('is measured also if its path cannot be decoded', async () => {
    const labels = 'method="GET",route="none"';
    const counted = `${REQUESTS}{${labels},status="400",mode="none"}`;
    const refused = `http_request_errors_total{${labels},code="validation_failed",mode="none"}`;
    const before = [await metrics.read(counted), await metrics.read(refused)];
    expect((await service.client.get('/%zz')).status).toBe(400);
    await metrics.expect(counted, before[0]! + 1);
    await metrics.expect(refused, before[1]! + 1);
  });

  it('has no headers of an export if the first page of the export fails', async () => {
    await service.dataSource.query('ALTER TABLE participation RENAME COLUMN answers TO hidden');
    const response = await download('ends-page', '', { 'accept-encoding': 'gzip' });
    const text = await response.text().catch(String);
    await service.dataSource.query('ALTER TABLE participation RENAME COLUMN hidden TO answers');
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal_error' } });
    const names = [...response.headers.keys()];
    expect(names).toEqual(expect.arrayContaining(['x-request-id', 'cache-control']));
    expect(names.filter((name) => /^export-|-encoding$|-disposition$/.test(name))).toEqual([]);
    expect(await service.log.requestLine('ends-page')).toMatchObject({
      level: 'error',
      status: 500,
    });
    expect(errorsOf('ends-page')).toHaveLength(1);
  });
});
