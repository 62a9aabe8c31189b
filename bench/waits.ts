import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from './databases';

/** Milliseconds between two samples. */
const INTERVAL = 50;

/**
 * Returns what PostgreSQL's connections wait for during some work, as a share of the samples in
 * which a connection works on a statement; `CPU` if it does not wait.
 */
export async function waitsDuring(
  url: string,
  work: Promise<unknown>,
): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  let total = 0;
  let done = false;
  const end = () => {
    done = true;
  };
  // The caller that waits for the work receives its error.
  work.then(end, end);
  await withClient(url, async (client) => {
    while (!done) {
      const { rows } = await client.query<{ event: string; count: string }>(
        `SELECT coalesce(wait_event_type || ':' || wait_event, 'CPU') AS event, count(*)
         FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
         GROUP BY 1`,
      );
      for (const { event, count } of rows) {
        counts.set(event, (counts.get(event) ?? 0) + Number(count));
        total += Number(count);
      }
      await sleep(INTERVAL);
    }
  });
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return Object.fromEntries(sorted.map(([event, count]) => [event, count / total]));
}
