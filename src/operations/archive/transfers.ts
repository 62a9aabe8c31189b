import { FIRST_STORED_ID, storedId, StoredId } from '../../platform/database/identifiers';
import { statementWith, toEntity } from '../../platform/database/rows';
import { TransferDto } from '../../insight/ledger/ledger.dto';
import { Transfer } from '../../insight/ledger/transfer.entity';
import type { PartSource } from './company-archive';
import { BATCH, CompanyRun, currencyOf, PART_ROWS } from './limits';
import type { Part } from './manifest.rules';

/** Campaigns with counters: every campaign that has a transfer is among them. */
const CAMPAIGNS = `
  SELECT campaign_id FROM campaign_progress WHERE company_id = $1 AND campaign_id > $2::bigint
  ORDER BY campaign_id LIMIT ${BATCH}`;

const CLOSED = 'SELECT closed_campaigns($1, $2, $3)::text[] AS closed';

/** Transfers of a campaign ($2) after one of them, oldest first, from an index of their own. */
const transferPage = (columns: string) => `
  SELECT ${columns}, campaign.post_id
  FROM transfer
  JOIN campaign ON campaign.company_id = $1 AND campaign.id = $2::bigint
  WHERE transfer.company_id = $1 AND transfer.campaign_id + 0 = $2::bigint
    AND (transfer.created_at, transfer.participation_id, transfer.kind)
      > ($3::timestamptz, $4::uuid, $5::text)
  ORDER BY transfer.created_at, transfer.participation_id, transfer.kind LIMIT ${BATCH}`;

const CARRY = 'SELECT carry_transfers($1, $2, $3, $4, $5, $6, $7)';

/** The transfers of the company's closed campaigns, campaign by campaign. */
export function transfers(run: CompanyRun, part: number): PartSource {
  const { dataSource, companyId } = run;
  const { before, stop } = run.limits;
  const repository = dataSource.getRepository(Transfer);
  const statement = statementWith(repository, transferPage);

  async function* closedCampaigns(): AsyncGenerator<string> {
    for (let last: string | undefined = '0'; last !== undefined;) {
      const found: { campaign_id: string }[] = await dataSource.query(CAMPAIGNS, [companyId, last]);
      const ids = found.map(({ campaign_id }) => campaign_id);
      const [{ closed }] = await dataSource.query<[{ closed: string[] | null }]>(CLOSED, [
        companyId,
        ids,
        before,
      ]);
      yield* closed ?? [];
      last = ids.at(-1);
    }
  }

  async function* transfersOf(campaignId: string, currency: string): AsyncGenerator<TransferDto[]> {
    for (let after: [Date | string, StoredId, string] = ['-infinity', FIRST_STORED_ID, '']; ;) {
      stop.throwIfAborted();
      const rows = await dataSource.query<(Record<string, unknown> & { post_id: string })[]>(
        statement,
        [companyId, campaignId, ...after],
      );
      const items = rows.map((row) => ({
        transfer: toEntity(repository, row),
        postId: row.post_id,
      }));
      const last = items.at(-1)?.transfer;
      if (last === undefined) {
        return;
      }
      yield items.map((item) => TransferDto.from(item, currency));
      after = [last.createdAt, last.participationId, last.kind];
    }
  }

  async function* pages(): AsyncGenerator<TransferDto[]> {
    const currency = await currencyOf(run);
    let rows = 0;
    for await (const campaignId of closedCampaigns()) {
      for await (const page of transfersOf(campaignId, currency)) {
        yield page;
        rows += page.length;
        if (rows >= PART_ROWS) {
          return;
        }
      }
    }
  }
  return {
    pages: pages(),
    describe: () => ({ kind: 'transfers', file: `${part}-transfers.ndjson.gz` }),
  };
}

/**
 * Carries the balance of the transfers of a part forward. If a campaign is not closed any more, its
 * transfers stay, and a later part has them again.
 */
export async function removeTransfers(
  { dataSource, companyId, archive, limits: { stop } }: CompanyRun,
  part: Part,
): Promise<boolean> {
  for await (const rows of archive.rowsOf<TransferDto>(part, BATCH)) {
    for (const postId of new Set(rows.map(({ post_id }) => post_id))) {
      stop.throwIfAborted();
      const own = rows.filter(({ post_id }) => post_id === postId);
      await dataSource.query(CARRY, [
        companyId,
        postId,
        own.map(({ participation_id }) => storedId('part', participation_id)),
        own.map(({ kind }) => kind),
        own.map(({ amount }) => amount),
        own.map(({ created_at }) => created_at),
        part.before,
      ]);
    }
  }
  return true;
}
