import { once } from 'node:events';
import { ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import Fastify, { FastifyInstance } from 'fastify';
import { KIB, MIB } from './body-limit';
import { acceptJson } from './read-body';

describe('the memory of a request body', () => {
  let fastify: FastifyInstance;
  /** Ends each request that is being handled. */
  let handled: (() => void)[];

  beforeEach(async () => {
    handled = [];
    fastify = Fastify({ bodyLimit: 16 * MIB, forceCloseConnections: true });
    acceptJson(fastify, () => 'one company');
    fastify.post('/', async () => {
      await new Promise<void>((resolve) => handled.push(resolve));
      return 'done';
    });
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    handled.forEach((end) => {
      end();
    });
    await fastify.close();
  });

  function send(bytes: number): ClientRequest {
    const { port } = fastify.server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json' };
    const sent = request({ port, method: 'POST', headers, agent: false });
    sent.on('error', () => undefined);
    return sent.end(`"${'x'.repeat(bytes)}"`);
  }

  async function answer(sent: ClientRequest): Promise<string> {
    const [response] = await once(sent, 'response');
    return text(response);
  }

  const untilHandled = async (count: number) => {
    while (handled.length < count) {
      await new Promise(setImmediate);
    }
  };

  it('is counted until the request has been handled, also if its client has gone', async () => {
    const gone = send(16 * MIB - 20 * KIB);
    await untilHandled(1);
    gone.destroy();
    await new Promise((resolve) => gone.once('close', resolve));
    expect(await answer(send(60 * KIB))).toContain('Too many large request bodies');
    handled[0]!();
    const last = send(60 * KIB);
    await untilHandled(2);
    handled[1]!();
    expect(await answer(last)).toBe('done');
  });

  it('is free again if the client leaves during the upload', async () => {
    const { port } = fastify.server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json', 'content-length': 15 * MIB };
    const unfinished = request({ port, method: 'POST', headers, agent: false });
    unfinished.on('error', () => undefined).write(`"${'x'.repeat(12 * MIB)}`);
    const [connection] = await once(fastify.server, 'connection');
    unfinished.destroy();
    await once(connection, 'close');
    const next = send(10 * MIB);
    await untilHandled(1);
    handled[0]!();
    expect(await answer(next)).toBe('done');
  });
});

describe('the time of a request body', () => {
  it.each([
    ['is handled', '{}', 200],
    ['cannot be parsed', '{', 400],
    ['is too large', `"${'x'.repeat(KIB)}"`, 413],
  ])('is known when the body %s', async (_, body, status) => {
    const fastify = Fastify({ bodyLimit: KIB });
    acceptJson(fastify, () => 'one company');
    let bodyTime: number | undefined;
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      ({ bodyTime } = request);
      done(null, payload);
    });
    fastify.post('/', () => 'done');
    const response = await fastify.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload: Readable.from([body]),
    });
    expect(response.statusCode).toBe(status);
    expect(bodyTime).toBeGreaterThan(0);
  });
});
