import { Injectable } from '@nestjs/common';
import { byCompany } from '../database/by-company';
import { TransactionContext } from '../database/transaction-context';
import type { Principal } from '../http/principal';
import { platformOf } from './campaign-owners.service';
import { ErasedRows } from './erased-rows.service';
import { countParticipations, Outcome } from './fielding.registry';
import { FieldingKeys } from './fielding-keys.service';
import type { StoredId } from '../database/identifiers';

/** Participations that one step erases. */
const BATCH = 200;

/**
 * Asks every company, so it is a plain read; what it finds is erased company by company. The order
 * of the campaigns is that of their locks, so that no erasure waits for one that waits for it, and
 * that of the index.
 */
const FIND = `
  SELECT company_id, campaign_id, participation_id FROM participation
  WHERE respondent = $1 ORDER BY campaign_id LIMIT ${BATCH}`;

/** Whoever is still answering gives the place back, so that nothing can be submitted afterwards. */
const CLOSE = `
  SELECT (abandon_participation($1, campaign_id, participation_id)).became
  FROM unnest($2::bigint[], $3::uuid[]) AS p (campaign_id, participation_id)`;

/**
 * Waits for a submission under way, so that its answers are erased too, and for another erasure,
 * after which there is nothing to erase.
 */
const LOCK = `
  SELECT respondent IS NOT NULL AS known FROM participation
  WHERE company_id = $1 AND campaign_id = ANY ($2) AND participation_id = ANY ($3)
  FOR NO KEY UPDATE`;

const ERASE = `SELECT erase_participations($1, $2::bigint[], $3::uuid[])`;

/** Takes the answers out of the results, and counts the responses without them. */
const TAKE_OUT = `SELECT recount_responses($1, $2::bigint[], $3::uuid[], true)`;
const ADD_AGAIN = `SELECT recount_responses($1, $2::bigint[], $3::uuid[], false)`;

const STEPS = [TAKE_OUT, ERASE, ADD_AGAIN];

interface Found {
  company_id: StoredId;
  campaign_id: string;
  participation_id: string;
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
        this.erasedRows.expect();
      }
      for (const [companyId, participations] of byCompany(found)) {
        const campaigns = participations.map(({ campaign_id }) => campaign_id);
        const ids = participations.map(({ participation_id }) => participation_id);
        const { closed, known } = await this.transaction.run(async () => {
          const { manager } = this.transaction;
          // A removal that runs meanwhile does not see what this transaction erases.
          this.transaction.afterEnd(() => {
            this.erasedRows.expect();
          });
          const parameters = [companyId, campaigns, ids];
          const closed = await manager.query<{ became: Outcome | null }[]>(CLOSE, parameters);
          const locked = await manager.query<{ known: boolean }[]>(LOCK, parameters);
          for (const statement of STEPS) {
            await manager.query(statement, parameters);
          }
          return { closed, known: locked.filter((row) => row.known).length };
        });
        erased += known;
        for (const { became } of closed) {
          if (became !== null) {
            this.transaction.afterSuccess(() => {
              countParticipations(became, companyId);
            });
          }
        }
      }
      if (found.length < BATCH) {
        await this.erasedRows.removeFromFiles();
        return erased;
      }
    }
  }
}
