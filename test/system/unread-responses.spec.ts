import { connect, Socket } from 'node:net';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { begun, start } from '../support/fielding';
import { generateKey } from '../support/keys';
import { LARGE_QUESTIONS } from '../support/large-questions';
import { runServiceForAll } from '../support/process';

const HEAP_MIB = 160;

/** Together, their responses are larger than the heap; each connection has as many as it may. */
const CONNECTIONS = 20;
const PIPELINED = 8;

describe(`a service with a heap of ${HEAP_MIB} MiB`, () => {
  const service = runServiceForAll({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` });
  let company: TestCompany;
  let tester: Client;
  let request: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    company = await registerCompany(service.client);
    ({ api: tester } = await generateKey(company.account, service.client, { mode: 'test' }));
    const { post_id } = await createSurvey(tester);
    const questions = await tester.post('/svc/survey/questions', {
      post_id,
      questions: LARGE_QUESTIONS,
    });
    expect(questions.status).toBe(200);
    await start(tester, post_id);
    await begun(tester, post_id, 'ann');
    const body = JSON.stringify({ post_id, respondent_id: 'ann' });
    request =
      'POST /svc/fielding/begin HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n' +
      `x-api-key: ${tester.headers['x-api-key']}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  }, 60_000);

  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
  });

  /** Sends requests, reads a little of the first response, and then nothing more. */
  async function sendAndNeverRead(requests: number): Promise<void> {
    const { hostname, port } = new URL(service.url);
    // The service may cut a connection that sends more than it may.
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    socket.write(request.repeat(requests));
    await new Promise<void>((resolve) => {
      socket.once('readable', resolve).once('close', () => resolve());
    });
  }

  it('serves others while the holder of one test key reads none of its responses', async () => {
    const other = await registerCompany(service.client);
    const unread = [PIPELINED, 4 * PIPELINED].flatMap((requests) =>
      Array.from({ length: CONNECTIONS }, () => sendAndNeverRead(requests)),
    );
    const { post_id } = await createSurvey(other.api);
    await Promise.all(unread);
    expect((await other.api.get(`/svc/campaign/${post_id}`)).status).toBe(200);
    expect((await tester.get('/svc/campaign/list')).status).toBe(200);
    expect(service.process.exitCode).toBeNull();
  }, 120_000);
});
