import { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { throwFirst } from '../../platform/scheduling/failures.rules';

/** Campaigns that one turn looks at. */
const CAMPAIGNS = 20;

/** Campaigns that give to one which has nothing left. */
const GIVERS = 5;

/** Milliseconds that one campaign, locked by another transaction, keeps the others waiting. */
const PATIENCE = 250;

/**
 * What is due of the table `allotment_due`. A campaign that nobody can begin is looked at again
 * from time to time, as respondents may have given money back to others.
 */
export const IS_DUE = `(NOT is_waiting
  OR (is_dry AND due_at < clock_timestamp() - interval '10 seconds'))`;

const DUE = `
  SELECT campaign_id FROM allotment_due
  WHERE company_id = $1 AND campaign_id > 0 AND ${IS_DUE}
  ORDER BY due_at, campaign_id LIMIT ${CAMPAIGNS}`;

const HAS_DUE = `
  SELECT EXISTS (SELECT FROM allotment_due WHERE company_id = $1 AND ${IS_DUE}) AS due`;

const ALLOT = `SELECT allot_campaign($1, $2, $3, ${PATIENCE}) AS state`;

const WATCH = 'SELECT watch_balance($1)';

/** The live campaigns of a company that have most to spare, in responses, besides campaign $2. */
const FIND_GIVERS = `
  SELECT c.id AS campaign_id
  FROM campaign AS c
  JOIN campaign_progress AS g ON g.company_id = $1 AND g.campaign_id = c.id
  WHERE c.company_id = $1 AND c.status = 'live' AND c.is_prepaid AND c.id <> $2
    AND g.allotment - g.held - g.spent >= 2 * c.largest_reward
  ORDER BY g.allotment - g.held - g.spent DESC LIMIT ${GIVERS}`;

interface Found {
  campaign_id: string;
}

/** Moves money between the balances of companies and their campaigns. */
export class AllotmentTurns {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Looks at some of what is due of a company, each campaign in a transaction of its own. Two
   * processes may do so at once.
   *
   * @returns whether more is due
   * @throws Error with the first failure, after every campaign had its turn
   */
  async take(companyId: StoredId): Promise<boolean> {
    const failures: unknown[] = [];
    const allot = async (campaignId: string, gives: boolean) => {
      try {
        const [{ state }] = await this.dataSource.query<[{ state: string | null }]>(ALLOT, [
          companyId,
          campaignId,
          gives,
        ]);
        return state;
      } catch (error) {
        failures.push(error);
        return null;
      }
    };
    const due = await this.dataSource.query<Found[]>(DUE, [companyId]);
    for (const { campaign_id } of due) {
      if ((await allot(campaign_id, false)) === 'dry') {
        const parameters = [companyId, campaign_id];
        for (const giver of await this.dataSource.query<Found[]>(FIND_GIVERS, parameters)) {
          await allot(giver.campaign_id, true);
        }
      }
    }
    await this.dataSource.query(WATCH, [companyId]);
    throwFirst(failures, 'campaigns');
    const [row] = await this.dataSource.query<[{ due: boolean }]>(HAS_DUE, [companyId]);
    return row.due;
  }
}
