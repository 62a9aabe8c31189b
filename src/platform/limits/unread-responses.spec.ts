import { Agent, get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { FastifyInstance } from 'fastify';
import { MIB } from './body-limit';
import { closeUnread } from './unread-responses';

/** More than the responses of one caller may take while they are unread. */
const REQUESTS = 40;

describe('the memory of responses that clients read', () => {
  let fastify: FastifyInstance;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  beforeEach(async () => {
    fastify = Fastify();
    fastify.addHook('onRequest', (request, reply, done) => {
      if (request.url === '/early') {
        reply.callNotFound();
      } else {
        done();
      }
    });
    closeUnread(fastify, () => 'one caller');
    const body = 'x'.repeat(MIB);
    fastify.get('/late', () => body);
    fastify.get('/early', () => body);
    fastify.setNotFoundHandler(() => body);
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    agent.destroy();
    await fastify.close();
  });

  /** Reads a response, and returns the connection that it came on. */
  const read = (path: string) =>
    new Promise<Socket>((resolve, reject) => {
      const { port } = fastify.server.address() as AddressInfo;
      get({ port, path, agent }, (response) => {
        response.resume().once('end', () => {
          resolve(response.socket);
        });
      }).once('error', reject);
    });

  it.each(['/late', '/early'])('is free again after each request for %s', async (path) => {
    const sockets = new Set<Socket>();
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      sockets.add(await read(path));
    }
    expect(sockets.size).toBe(1);
  });
});
