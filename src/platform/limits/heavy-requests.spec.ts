import { fastify } from 'fastify';
import type { ApiError } from '../protocol/api-error';
import { queueHeavyRequests } from './heavy-requests';
import { HeavyWork } from './heavy-work';

describe('a heavy route', () => {
  it('refuses a caller of whom twenty requests wait, and nobody else', async () => {
    const work = new HeavyWork();
    const server = fastify();
    queueHeavyRequests(server, ({ headers }) => String(headers.caller), work);
    server.setErrorHandler(({ code, headers }: ApiError, _, reply) =>
      reply.code(400).send({ code, headers }),
    );
    server.get('/', { config: { heavy: true } }, () => 'served');
    const get = async (caller: string) =>
      (await server.inject({ url: '/', headers: { caller } })).body;
    const ends: (() => void)[] = [];
    Array.from({ length: 22 }, () => work.enter('a', (end) => ends.push(end)));
    expect(JSON.parse(await get('a'))).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '1' },
    });
    expect(await get('b')).toBe('served');
    while (ends.length > 0) {
      ends.shift()!();
    }
    expect(await get('a')).toBe('served');
    await server.close();
  });
});
