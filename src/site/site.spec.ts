import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { fastify } from 'fastify';
import { queueHeavyRequests } from '../http/heavy-requests';
import { serveSite } from './site';

const document = JSON.parse(
  readFileSync(join(__dirname, '../../openapi.json'), 'utf8'),
) as OpenAPIObject;

describe('a search', () => {
  const server = fastify();
  queueHeavyRequests(server, ({ ip }) => ip);
  serveSite(server, document, { title: 'Service', topics: [] });

  const search = (q: string) => server.inject({ url: '/reference/search', query: { q } });

  it('lets other requests run while the first one builds the index', async () => {
    let turns = 0;
    let turn = setImmediate(function next() {
      turns += 1;
      turn = setImmediate(next);
    });
    const { statusCode } = await search('reward');
    clearImmediate(turn);
    expect(statusCode).toBe(200);
    expect(turns).toBeGreaterThan(100);
  });

  it('waits while two of its address run, and is refused if too many wait', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => search('reward')));
    const statuses = responses.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([...Array<number>(22).fill(200), ...Array<number>(8).fill(429)]);
  });

  it('compares eight different words at most, and says so', async () => {
    const cut = 'Only the first 8 different words count.';
    const repeated = await search('a '.repeat(40) + 'zzz');
    expect(repeated.body).toContain('Nothing contains all of');
    expect(repeated.body).not.toContain(cut);
    const many = await search('a b c d e f g h zzz');
    expect(many.body).toContain('Results for');
    expect(many.body).toContain(cut);
  });
});
