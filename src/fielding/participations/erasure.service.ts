import { Injectable } from '@nestjs/common';
import { byCompany } from '../../platform/database/by-company';
import { TransactionContext } from '../../platform/database/transaction-context';
import type { Principal } from '../../platform/caller/principal';
import { platformOf } from './campaign-owners.service';
import { ErasedRows } from './erased-rows.service';
import { countParticipations, Outcome } from './fielding.registry';
import { FieldingKeys } from './fielding-keys.service';
import type { StoredId } from '../../platform/database/identifiers';

/** Participations that are found at once. */
const BATCH = 200;

/** Bytes of answers after which a transaction takes no further one; see `fold_responses`. */
const ANSWERS_MAXIMUM = 1024 * 1024;

/** Participations that one transaction erases: `forget_signals` takes about 50 ms for each. */
const PART_MAXIMUM = 15;

/**
 * Asks every company, so it is a plain read; what it finds is erased company by company. The order
 * of the campaigns is that of their locks, so that no erasure waits for one that waits for it, and
 * that of the index.
 */
const FIND = `
  SELECT company_id, campaign_id, participation_id, state = 'open' AS is_open,
    coalesce(octet_length(answers), 0) AS bytes
  FROM participation
  WHERE respondent = $1 ORDER BY campaign_id LIMIT ${BATCH}`;

/**
 * Whoever is still answering gives the place back, so that nothing can be submitted afterwards.
 * Each is a transaction of its own: who waits for another participation, or for the tally, must not
 * have a campaign locked.
 */
const CLOSE = 'SELECT became FROM abandon_participation($1, $2, $3)';

/**
 * Waits for a submission under way, so that its answers are erased too, and for another erasure,
 * after which there is nothing to erase.
 */
const LOCK = `
  SELECT respondent IS NOT NULL AS known FROM participation
  WHERE company_id = $1 AND campaign_id = ANY ($2) AND participation_id = ANY ($3)
  ORDER BY campaign_id FOR NO KEY UPDATE`;

const ERASE = `SELECT erase_participations($1, $2::bigint[], $3::uuid[])`;

/** Takes the answers out of the results, and counts the responses without them. */
const TAKE_OUT = `SELECT recount_responses($1, $2::bigint[], $3::uuid[], true)`;
const ADD_AGAIN = `SELECT recount_responses($1, $2::bigint[], $3::uuid[], false)`;

/** Takes the signals of quality out of what guardrails remember. */
const FORGET_SIGNALS = `SELECT forget_signals($1, $2::bigint[], $3::uuid[])`;

/** Gives back what counts in the cells of quotas. It locks the campaigns, so it comes last. */
const LEAVE_CELLS = `SELECT erase_cells($1, $2::bigint[], $3::uuid[])`;

const STEPS = [TAKE_OUT, ERASE, ADD_AGAIN, FORGET_SIGNALS, LEAVE_CELLS];

interface Found {
  company_id: StoredId;
  campaign_id: string;
  participation_id: string;
  /** Whether the respondent is still answering, unless the time is over. */
  is_open: boolean;
  /** Length of the answers. */
  bytes: number;
}

/** Splits participations into those that one transaction erases; the order stays. */
function inParts(found: readonly Found[]): Found[][] {
  const parts: Found[][] = [];
  let bytes = Infinity;
  for (const participation of found) {
    if (bytes >= ANSWERS_MAXIMUM || parts.at(-1)?.length === PART_MAXIMUM) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(participation);
    bytes += participation.bytes;
  }
  return parts;
}

/** Erases what is stored about a person. Amounts stay: the ledger knows participations only. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly keys: FieldingKeys,
    private readonly erasedRows: ErasedRows,
  ) {}

  /**
   * Erases the answers and the identity of the caller's respondent in all campaigns, in the
   * embedded database also from its files. A place that the respondent holds is given back.
   *
   * @returns the number of participations
   */
  async erase(caller: Principal, respondentId: string): Promise<number> {
    const respondent = this.keys.hashRespondent(platformOf(caller), respondentId);
    let erased = 0;
    for (;;) {
      const found = await this.transaction.manager.query<Found[]>(FIND, [respondent]);
      if (found.length > 0) {
        this.erasedRows.markErased();
      }
      for (const [companyId, participations] of byCompany(found)) {
        for (const part of inParts(participations)) {
          erased += await this.erasePart(companyId, part);
        }
      }
      if (found.length < BATCH) {
        await this.erasedRows.removeFromFiles();
        return erased;
      }
    }
  }
  /** Erases participations of a company, and returns how many were not erased before. */
  private async erasePart(companyId: StoredId, part: readonly Found[]): Promise<number> {
    for (const { campaign_id, participation_id } of part.filter(({ is_open }) => is_open)) {
      const [{ became }] = await this.transaction.manager.query<[{ became: Outcome | null }]>(
        CLOSE,
        [companyId, campaign_id, participation_id],
      );
      if (became !== null) {
        countParticipations(became, companyId);
      }
    }
    const campaigns = part.map(({ campaign_id }) => campaign_id);
    const ids = part.map(({ participation_id }) => participation_id);
    const parameters = [companyId, campaigns, ids];
    return this.transaction.run(async () => {
      const { manager } = this.transaction;
      // A removal that runs meanwhile does not see what this transaction erases.
      this.transaction.afterEnd(() => {
        this.erasedRows.markErased();
      });
      const locked = await manager.query<{ known: boolean }[]>(LOCK, parameters);
      for (const statement of STEPS) {
        await manager.query(statement, parameters);
      }
      return locked.filter(({ known }) => known).length;
    });
  }
}
