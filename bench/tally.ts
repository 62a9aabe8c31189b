import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { cpuSeconds } from './cpu';
import { withClient } from './databases';
import { Stored, storePortion } from './stored-responses';

/** What folding a log took. */
export interface Folding {
  responses: number;
  /** Responses per second of one connection that does nothing else. */
  perSecond: number;
  /** Microseconds of PostgreSQL's CPU for each response. */
  cpu: number;
}

/** Folds all numbered events of a company on one connection. */
export async function measureFold(url: string, companyId: string, batch: number): Promise<Folding> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    const cpuBefore = cpuSeconds(pid) ?? NaN;
    const startedAt = performance.now();
    let responses = 0;
    for (let isLast = false; !isLast;) {
      const { rows: folded } = await client.query<{ folded: number; isLast: boolean }>({
        name: 'fold',
        text: 'SELECT folded, reached >= last AS "isLast" FROM fold_responses($1, $2)',
        values: [companyId, batch],
      });
      responses += folded[0]?.folded ?? 0;
      isLast = folded[0]?.isLast ?? true;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = (((cpuSeconds(pid) ?? NaN) - cpuBefore) / responses) * 1e6;
    return { responses, perSecond: responses / seconds, cpu };
  });
}

const UNFOLDED = `
  SELECT coalesce(sum(s.last_seq - coalesce(t.folded_seq, 0)), 0)::float8
    + (SELECT count(*) FROM unnumbered_event) AS waiting
  FROM event_sequence AS s LEFT JOIN tally_position AS t USING (company_id)`;

/** How many events are in no tally. */
async function unfolded(client: Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(UNFOLDED);
  return rows[0]?.waiting ?? 0;
}

/** Waits until the service has numbered and folded all events. */
export async function untilFolded(url: string): Promise<void> {
  await withClient(url, async (client) => {
    while ((await unfolded(client)) > 0) {
      await sleep(50);
    }
  });
}

/** How the tally of a service kept up with responses. */
export interface KeepingUp {
  /** Responses per second that were stored. */
  perSecond: number;
  /** The most events that were in no tally, and the number at the end of the responses. */
  most: number;
  atEnd: number;
  /** Seconds from the end of the responses until all were in the tally. */
  drained: number;
}

/** Parts of a second in which responses arrive together. */
const PARTS = 10;

/** Stores responses without numbers at a rate, which a running service numbers and folds. */
export async function measureKeepingUp(
  url: string,
  to: Stored,
  { first, rate, seconds }: { first: number; rate: number; seconds: number },
): Promise<KeepingUp> {
  return withClient(url, async (client) => {
    const portion = rate / PARTS;
    const startedAt = performance.now();
    let most = 0;
    for (let part = 0; part < seconds * PARTS; part += 1) {
      const at = first + part * portion;
      const last = at + portion - 1;
      await storePortion(client, to, { first: at, last, of: last, numbered: false });
      most = Math.max(most, await unfolded(client));
      await sleep(Math.max(0, startedAt + ((part + 1) * 1000) / PARTS - performance.now()));
    }
    const endedAt = performance.now();
    const atEnd = await unfolded(client);
    await untilFolded(url);
    return {
      perSecond: (seconds * rate) / ((endedAt - startedAt) / 1000),
      most,
      atEnd,
      drained: (performance.now() - endedAt) / 1000,
    };
  });
}

/** A fold that counts nothing, to measure what the tally costs. */
export const WITHOUT_TALLY = `
  CREATE OR REPLACE FUNCTION fold_responses(company uuid, batch integer)
  RETURNS TABLE (folded integer, reached bigint, last bigint) LANGUAGE plpgsql AS $$
  BEGIN
    SELECT 0, s.last_seq, s.last_seq INTO folded, reached, last
    FROM event_sequence AS s WHERE s.company_id = company;
    INSERT INTO tally_position (company_id, folded_seq) VALUES (company, reached)
    ON CONFLICT (company_id) DO UPDATE SET folded_seq = excluded.folded_seq;
    RETURN NEXT;
  END $$`;
