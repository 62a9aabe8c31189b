import autocannon from 'autocannon';
import type { Answer, Row, State } from './row.types';
import type { Request } from './request';
import { dialects } from './dialects';
import { CONNECTIONS, Order, Outcome } from './load-order';
import { Shape } from './shape';

/*
 * The load generator, a separate process. It receives orders and returns their results.
 */

/**
 * The status of every response is checked. The whole response is checked for the first ones, and
 * then for one in every so many.
 */
const LOOKED_INTO_FIRST = 50;
const LOOKED_INTO_EVERY = 50;

/** Earlier work on a contestant's campaigns, because a toggle has to change the state. */
const states = new Map<string, State>();

function stateOf(url: string): State {
  const state = states.get(url) ?? {
    count: 0,
    live: new Map<string, boolean>(),
    respondents: new Map<string, number>(),
  };
  states.set(url, state);
  return state;
}

class WrongAnswerError extends Error {}

async function run({
  url,
  dialect,
  row: name,
  accounts,
  seconds,
  connections = CONNECTIONS,
  rate,
}: Order): Promise<Outcome> {
  const rows: Record<string, Row | undefined> = dialects[dialect];
  const row = rows[name];
  if (row === undefined) {
    throw new Error(`${dialect} has no row ${name}`);
  }
  const state = stateOf(url);
  const shape = new Shape();
  const latencies: number[] = [];
  let wrong: WrongAnswerError | undefined;

  const check = (status: number, body: string, request: Request) => {
    const lookInto =
      latencies.length < LOOKED_INTO_FIRST || latencies.length % LOOKED_INTO_EVERY === 0;
    if (status !== row.status || lookInto) {
      const answer = JSON.parse(body) as Answer;
      shape.add(answer);
      if (status !== row.status || !row.isRight(answer, request)) {
        const sent = `${request.method} ${request.path} ${JSON.stringify(request.body)}`;
        wrong ??= new WrongAnswerError(`${url} answered ${sent} with ${status} ${body}`);
      }
    }
  };

  const cpuBefore = process.cpuUsage();
  const instance = autocannon({
    url,
    connections,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    requests: [
      {
        setupRequest: (sent, context) => {
          const request = row.request(accounts, state);
          context.request = request;
          const { method, path, headers, body } = request;
          return { ...sent, method, path, headers, body: body && JSON.stringify(body) };
        },
        onResponse: (status, body, context) => {
          check(status, body, context.request as Request);
        },
      },
    ],
  });
  let failed: Error | undefined;
  instance.on('reqError', (error) => (failed ??= error));
  const startedAt = performance.now();
  let lastAt = startedAt;
  instance.on('response', (_client, _status, _bytes, milliseconds) => {
    latencies.push(milliseconds);
    lastAt = performance.now();
  });
  const { errors, timeouts } = await instance;
  if (wrong !== undefined) {
    throw wrong;
  }
  if (errors > 0 || timeouts > 0 || latencies.length === 0) {
    throw new Error(
      `${url}, ${name}: ${latencies.length} answers, ${errors} errors, ${timeouts} timeouts: ${failed?.message ?? ''}`,
    );
  }
  const took = (lastAt - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / took,
    median: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    answers: latencies.length,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    seconds: took,
    shape: shape.members,
  };
}

function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN;
}

process.on('message', (order: Order) => {
  run(order).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
