import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { fastify } from 'fastify';
import { queueHeavyRequests } from '../limits/heavy-requests';
import { SYNONYMS } from './search-index';
import { serveSite } from './site';

const document = JSON.parse(
  readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'),
) as OpenAPIObject;

describe('a search', () => {
  function serve() {
    const made = fastify();
    queueHeavyRequests(made, ({ ip }) => ip);
    serveSite(made, document, { title: 'Service', topics: [] });
    return made;
  }

  const server = serve();

  const search = (q: string, of = server) => of.inject({ url: '/reference/search', query: { q } });

  it('lets other requests run while the first one builds the index', async () => {
    let turns = 0;
    let turn = setImmediate(function next() {
      turns += 1;
      turn = setImmediate(next);
    });
    const { statusCode } = await search('reward', serve());
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
    const repeated = await search('key '.repeat(20) + 'zzz');
    expect(repeated.body).toContain('Nothing contains all of');
    expect(repeated.body).not.toContain(cut);
    const many = await search('list campaigns company status type archived cursor page zzz');
    expect(many.body).toContain('Results for');
    expect(many.body).toContain(cut);
  });

  it.each([
    // Beginnings of words, with and without the words between them.
    ['surv', 'Operations', '/reference/surveys#createSurvey'],
    ['how do I rotate an api key', 'Operations', '/reference/api-keys#rotateApiKey'],
    ['dele web', 'Operations', '/reference/webhooks#deleteWebhook'],
    // Typing mistakes.
    ['webhok', 'Operations', '/reference/webhooks#createWebhook'],
    ['insuficient_scope', 'Error codes', '/guides/errors#insufficient_scope'],
    ['reserch', 'Guides', '/guides/quality#straight-lining'],
    // What others call it.
    ['refund', 'Operations', '/reference/fielding#reverseParticipation'],
    ['pause', 'Operations', '/reference/campaigns#toggleLive'],
    ['delete campaign', 'Operations', '/reference/campaigns#archiveCampaign'],
    ['copy a campaign', 'Operations', '/reference/campaigns#duplicateCampaign'],
    ['remove webhook', 'Operations', '/reference/webhooks#deleteWebhook'],
    ['download responses', 'Operations', '/reference/campaign-responses#exportResponses'],
    // Parts of names.
    ['max_responses', 'Fields', '/reference/surveys#createSurvey.request.max_responses'],
    ['createSurvey', 'Operations', '/reference/surveys#createSurvey'],
    ['/svc/campaign/toggle', 'Operations', '/reference/campaigns#toggleLive'],
  ])('finds with "%s" among the %s %s', async (query, kind, target) => {
    const { body } = await search(query);
    const [, list = ''] = new RegExp(`<h2>${kind}</h2>(.*?)</ul>`).exec(body) ?? [];
    const links = [...list.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => {
      const { pathname, hash } = new URL(link, 'http://service/reference/search');
      return pathname + hash;
    });
    expect(links).toContain(target);
  });

  it.each(Object.keys(SYNONYMS))('finds operations with "%s"', async (word) => {
    expect((await search(word)).body).toContain('<h2>Operations</h2>');
  });
});
