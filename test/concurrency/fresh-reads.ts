import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.setup';
import { Env } from '../../src/platform/config/env';
import { createLogger } from '../../src/platform/logging/logger';
import { choice } from '../support/builders';
import { Client } from '../support/client';
import { onPostgres } from '../support/engines';
import { begin, liveQuestionnaire, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { TestLog } from '../support/log';
import { service } from '../support/service';

/** Respondents at once, as many as a company may read exports, and how many each lane brings. */
const LANES = 2;
const EACH = 10;

describe('a read', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const READS: Record<string, (api: Client, post_id: string) => Promise<number>> = {
    results: async (api, post_id) =>
      (await api.get(`/svc/campaign/${post_id}/results`)).data.questions[0].answered,
    'a cross tab': async (api, post_id) => {
      const query = 'rows=1&columns=platform';
      return (await api.get(`/svc/campaign/${post_id}/results/crosstab?${query}`)).data.answered;
    },
    'the feed': async (api, post_id) => {
      const query = `after=0&types=response.submitted&post_id=${post_id}`;
      return (await api.get(`/svc/event/list?${query}`)).data.items.length;
    },
    'an export': async (api, post_id) => {
      const response = await fetch(`${api.url}/svc/campaign/${post_id}/responses/export`, {
        headers: api.headers,
      });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      return Number(response.headers.get('export-count'));
    },
  };

  /** Reads after each response, and expects every one that had its own by then. */
  async function expectFresh(
    reader: Client,
    read: (api: Client, post_id: string) => Promise<number>,
  ): Promise<void> {
    const post_id = await liveQuestionnaire(company, [choice()]);
    let submitted = 0;
    const lane = async (name: number) => {
      for (let n = 0; n < EACH; n += 1) {
        const { participation_id } = (await begin(platform, post_id, `${name} ${n}`)).data;
        const answers = [{ question: 1, value: (choice().options as string[])[0] }];
        const sent = await submit(platform, { post_id, participation_id }, 9, answers);
        expect(sent.status).toBe(200);
        submitted += 1;
        const before = submitted;
        expect(await read(reader, post_id)).toBeGreaterThanOrEqual(before);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, name) => lane(name)));
    expect(await read(reader, post_id)).toBe(LANES * EACH);
  }

  it.each(Object.entries(READS))(
    'has every response that was submitted before it began: %s',
    (_, read) => expectFresh(company.api, read),
  );

  onPostgres('from another instance', () => {
    let other: NestFastifyApplication;

    beforeAll(async () => {
      const env = service.app.get(Env);
      other = await createApp(env, createLogger(env, new TestLog()));
      await other.listen(0, '127.0.0.1');
    });

    afterAll(() => other.close());

    it.each(Object.entries(READS))(
      'has every response that was submitted before it began: %s',
      async (_, read) => {
        await expectFresh(new Client(await other.getUrl(), company.api.headers), read);
      },
    );
  });
});
