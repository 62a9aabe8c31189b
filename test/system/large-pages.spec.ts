import { setTimeout as delay } from 'node:timers/promises';
import { createSurvey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { millisecondsWithCore } from '../support/core-waits';
import { LARGE_QUESTIONS } from '../support/large-questions';
import { runServiceForAll } from '../support/process';
import { shortest } from '../support/shortest';

/** Ten readers of all of them at once would need more than the heap. */
const SETS = 40;

const PAGE_MAXIMUM = 2 * 1024 * 1024;
const READERS = 10;
/** Maximum number of attempts, because waits for the disk and the memory are not left out. */
const ATTEMPTS = 3;
/** Minimum number of health checks while the clients read. */
const HEALTH_CHECKS = 50;
/**
 * Maximum milliseconds of a health check: 250 on a machine of its own. Here another test shares the
 * cores.
 */
const HEALTH_MAXIMUM = 500;

describe('a list of large entries', () => {
  const service = runServiceForAll({ NODE_OPTIONS: '--max-old-space-size=512' });
  let company: TestCompany;
  let post_id: string;

  beforeAll(async () => {
    company = await registerCompany(service.client);
    ({ post_id } = await createSurvey(company.api));
    for (let n = 0; n < SETS; n += 1) {
      const { status } = await company.api.post('/svc/survey/questions', {
        post_id,
        questions: LARGE_QUESTIONS,
      });
      expect(status).toBe(200);
    }
  }, 240_000);

  const history = (cursor?: string) =>
    fetch(
      `${service.url}/svc/campaign/${post_id}/questions/history?limit=100` +
        (cursor === undefined ? '' : `&cursor=${cursor}`),
      { headers: company.api.headers },
    );

  it('ends its pages before 2 MiB and continues with the cursor, without a gap', async () => {
    const versions: number[] = [];
    let cursor: string | undefined;
    do {
      const text = await (await history(cursor)).text();
      expect(text.length).toBeLessThanOrEqual(PAGE_MAXIMUM);
      const { data } = JSON.parse(text) as {
        data: { items: { version: number }[]; next_cursor: string | null };
      };
      versions.push(...data.items.map(({ version }) => version));
      cursor = data.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(versions).toEqual(Array.from({ length: SETS }, (_, index) => SETS - index));
  }, 120_000);

  it(`lets ${READERS} readers at once neither exhaust a heap of 512 MiB nor delay health checks`, async () => {
    const longest = await shortest(
      HEALTH_MAXIMUM,
      async () => {
        let reading = true;
        const delays: number[] = [];
        const watch = async () => {
          while (reading) {
            delays.push(
              await millisecondsWithCore(service.process.pid!, async () => {
                expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
              }),
            );
            await delay(5);
          }
        };
        const read = async () => {
          for (let round = 0; round < 3 || delays.length < HEALTH_CHECKS; round += 1) {
            const response = await history();
            expect(response.status).toBe(200);
            await response.arrayBuffer();
          }
        };
        const readers = Promise.all(Array.from({ length: READERS }, read)).finally(() => {
          reading = false;
        });
        await Promise.all([readers, watch()]);
        return Math.max(...delays);
      },
      ATTEMPTS,
    );
    expect(longest).toBeLessThan(HEALTH_MAXIMUM);
  }, 120_000);
});
