import { boundedPage } from '../../platform/database/bounded-page';
import { statementWith, toEntity } from '../../platform/database/rows';
import { eventId } from '../../platform/event/event-id.rules';
import { Event } from '../../platform/event/event.entity';
import { EventDto } from '../../delivery/feed/feed.dto';
import { printEnvironment } from '../../platform/caller/environment.rules';
import type { PartSource } from './company-archive';
import { BATCH, CompanyRun, currencyOf, Limits, PART_ROWS, sparingNumbering } from './limits';
import type { Part } from './manifest.rules';

/** Without a table: a cluster would call the function on a shard, where it can read no table. */
const LAST = 'SELECT last::float8 FROM archivable_seq($1, $2) AS last';

const eventPage = (columns: string) =>
  boundedPage({
    rows: `
      SELECT ${columns}, octet_length(changes::text) AS bytes FROM event
      WHERE company_id = $1 AND seq > $2 AND seq <= $3`,
    order: 'seq',
    limit: BATCH,
  });

const REMOVE = `SELECT remove_archived_events($1, $2, ${BATCH}, $3) AS removed`;

const FIRST = 'SELECT first_seq::float8 AS first FROM event_sequence WHERE company_id = $1';

const BY_SEQ = (columns: string) => `
  SELECT ${columns} FROM event WHERE company_id = $1 AND seq = ANY ($2)`;

/** Webhooks that were disabled before this time are not waited for. */
const abandonedBefore = ({ before, pastDisabledWebhooks }: Limits): Date | null =>
  pastDisabledWebhooks === true ? before : null;

/** The number of the first event that is left; `undefined` of a company that never had one. */
async function firstSeq({ dataSource, companyId }: CompanyRun): Promise<number | undefined> {
  const [row] = await dataSource.query<{ first: number }[]>(FIRST, [companyId]);
  return row?.first;
}

/** @throws Error if another run, into another folder, has removed this event meanwhile */
async function requireFirst(run: CompanyRun, first: number): Promise<void> {
  if ((await firstSeq(run)) !== first) {
    throw new Error(
      `another run has removed events from ${first} on: nothing is removed. Run one at a time`,
    );
  }
}

/**
 * The next events of a company, in the order of their numbers, up to the first one that is not old
 * enough or that something still needs. The rows are those of the feed.
 */
export function events(run: CompanyRun, part: number): PartSource {
  const { dataSource, companyId, limits } = run;
  const { before, stop } = limits;
  const repository = dataSource.getRepository(Event);
  const statement = statementWith(repository, eventPage);
  let from = 0;
  let to = 0;
  async function* pages(): AsyncGenerator<EventDto[]> {
    const [{ last }] = await dataSource.query<[{ last: number }]>(LAST, [
      companyId,
      abandonedBefore(limits),
    ]);
    from = (await firstSeq(run)) ?? 1;
    to = from - 1;
    const archived = run.archive.lastOf('events')?.to ?? to;
    if (to > archived) {
      throw new Error(
        `events ${archived + 1} to ${to} are in another folder: archive into that one or a new one`,
      );
    }
    const currency = await currencyOf(run);
    while (to < last && to - from + 1 < PART_ROWS) {
      stop.throwIfAborted();
      // Numbers have no gaps, so these are all events of the page, whatever the plan.
      const end = Math.min(last, to + BATCH);
      const rows = await dataSource.query<Record<string, unknown>[]>(statement, [
        companyId,
        to,
        end,
      ]);
      const page = rows.map((row) => toEntity(repository, row));
      if (page.some(({ seq }, index) => Number(seq) !== to + 1 + index) || page.length === 0) {
        await requireFirst(run, from);
        throw new Error(
          `the log of ${printEnvironment(companyId)} has a gap after event ${to}: nothing is removed`,
        );
      }
      const young = page.findIndex(({ createdAt }) => createdAt >= before);
      const old = young === -1 ? page : page.slice(0, young);
      to += old.length;
      yield old.map((event) => EventDto.from(event, currency));
      if (young !== -1) {
        return;
      }
    }
  }
  return {
    pages: pages(),
    describe: () => ({ kind: 'events', file: `${part}-events-${from}-${to}.ndjson.gz`, from, to }),
  };
}

/**
 * Removes the events of a part.
 *
 * @returns whether all of them are removed now; something may need them again
 * @throws Error if the database has other events of these numbers, or earlier ones
 */
export async function removeEvents(run: CompanyRun, part: Part): Promise<boolean> {
  const { dataSource, companyId, limits } = run;
  const { to = 0 } = part;
  for (let checked = false; ; checked = true) {
    limits.stop.throwIfAborted();
    const first = await firstSeq(run);
    if (first === undefined || first > to) {
      return true;
    }
    if (!checked) {
      await requireSame(run, part, first);
    }
    const parameters = [companyId, to, abandonedBefore(limits)];
    const [{ removed }] = await sparingNumbering(run, () =>
      dataSource.query<[{ removed: number }]>(REMOVE, parameters),
    );
    if (removed === 0) {
      return false;
    }
  }
}

/**
 * A restored database gives the numbers of events to others, which no file has. If the first event
 * that is left and the last one of the part are those of the file, so are the others.
 */
async function requireSame(run: CompanyRun, part: Part, first: number): Promise<void> {
  const { dataSource, companyId, archive } = run;
  const seqs = [first, part.to ?? 0];
  const repository = dataSource.getRepository(Event);
  const rows = await dataSource.query<Record<string, unknown>[]>(
    statementWith(repository, BY_SEQ),
    [companyId, seqs],
  );
  const stored = new Set(rows.map((row) => eventId(toEntity(repository, row))));
  const archived = new Set<string>();
  for await (const page of archive.rowsOf<EventDto>(part, BATCH)) {
    page.filter(({ seq }) => seqs.includes(seq)).forEach(({ event_id }) => archived.add(event_id));
  }
  const both = [...archived].filter((id) => stored.has(id));
  if (both.length < new Set(seqs).size) {
    await requireFirst(run, first);
    throw new Error(
      `${part.file} has other events than the database, which was probably restored from a ` +
        'backup: nothing is removed. Archive into a new folder',
    );
  }
}
