import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { DocumentedOperation, readOperations } from '../support/document';
import { Chance, hostileRequest, sendRaw } from '../support/hostile';
import { serviceForAll } from '../support/service';

/*
 * HOSTILE_COUNT sends more requests, with another seed each time. A failure names the seed.
 */
const LONG_COUNT = process.env.HOSTILE_COUNT;
const COUNT = Number(LONG_COUNT ?? 3_000);
const SEED = Number(process.env.HOSTILE_SEED ?? (LONG_COUNT === undefined ? 1 : Date.now() % 1e9));

/** Number of concurrent requests. */
const LANES = 16;

/** Milliseconds after which a request counts as hung. */
const HANG = 20_000;

const MEBIBYTE = 2 ** 20;

describe('hostile input', () => {
  const service = serviceForAll({ timeouts: { requestTimeout: 2_000, timeoutInterval: 200 } });

  it(`causes no 5xx, hang or damage in ${COUNT} requests (seed ${SEED})`, async () => {
    const { api, account } = await registerCompany(service.client, { currency: 'JPY' });
    const operations = await readOperations(service.client);
    const credentialOf = ({ credential }: DocumentedOperation): Record<string, string> =>
      credential === 'api_key'
        ? { ...api.headers }
        : credential === 'account_token'
          ? { ...account.headers }
          : {};
    const chance = new Chance(SEED);
    const statuses = new Map<number, number>();
    const failures: string[] = [];
    let sent = 0;
    let memory = 0;

    const lane = async () => {
      while (sent < COUNT) {
        const operation = operations[sent % operations.length]!;
        sent += 1;
        if (sent === Math.floor(COUNT / 2)) {
          memory = process.memoryUsage().rss;
        }
        const bytes = hostileRequest(operation, credentialOf(operation), chance);
        const status = await sendRaw(service.client.url, bytes, HANG);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) {
          failures.push(`${status} to ${bytes.toString('latin1', 0, 2_000)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    expect(failures).toEqual([]);
    // Some requests were parsed, validated and accepted, not only cut off.
    expect(statuses.get(400)).toBeGreaterThan(COUNT / 4);
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(0) ?? 0).toBeLessThan(COUNT / 20);
    expect(process.memoryUsage().rss - memory).toBeLessThan(256 * MEBIBYTE);
    expect(Object.prototype).not.toHaveProperty('is_live');
    const { post_id } = await createSurvey(api);
    expect((await api.get(`/svc/campaign/${post_id}`)).body.data.is_live).toBe(false);
  }, 600_000);
});
