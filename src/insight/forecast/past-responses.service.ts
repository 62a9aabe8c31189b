import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/database/transaction-context';
import type { Shares } from './attention.rules';
import { Expectation, PRIOR } from './expectation.rules';
import type { StoredId } from '../../platform/database/identifiers';

/** How many campaigns are looked at, how many participations of each, and how many in all. */
const CAMPAIGNS = 100;
const OF_EACH = 2_000;
const IN_ALL = 10_000;

/** With fewer responses, a mix would be mostly chance. */
const ENOUGH = 200;

/**
 * Counts what became of the latest participations of the latest campaigns. Both are read backwards
 * in the order of a primary key, so the statement reads no more rows than it counts.
 *
 * A reversed response says that the respondent completed, but not how attentively.
 */
const COUNT = `
  SELECT ARRAY[${[1, 2, 3, 4, 5]
    .map((cohort) => `count(*) FILTER (WHERE state = 'submitted' AND cohort = ${cohort})`)
    .join(', ')}]::integer[] AS cohorts,
    count(*) FILTER (WHERE state IN ('submitted', 'reversed'))::integer AS completed,
    count(*) FILTER (WHERE state NOT IN ('open', 'screened_out'))::integer AS finished
  FROM (
    SELECT p.state, p.cohort
    FROM (
      SELECT campaign_id FROM campaign_progress
      WHERE company_id = $1 ORDER BY campaign_id DESC LIMIT ${CAMPAIGNS}
    ) AS c
    CROSS JOIN LATERAL (
      SELECT state, cohort FROM participation
      WHERE company_id = $1 AND campaign_id = c.campaign_id
      ORDER BY participation_id DESC LIMIT ${OF_EACH}
    ) AS p
    LIMIT ${IN_ALL}
  ) AS latest`;

@Injectable()
export class PastResponsesService {
  constructor(private readonly transaction: TransactionContext) {}

  /** Returns what a company's latest responses lead to expect, or the prior if they are too few. */
  async read(companyId: StoredId): Promise<Expectation> {
    const [{ cohorts, completed, finished }] = await this.transaction.manager.query<
      [{ cohorts: number[]; completed: number; finished: number }]
    >(COUNT, [companyId]);
    const pastResponses = cohorts.reduce((sum, each) => sum + each, 0);
    if (pastResponses < ENOUGH) {
      return { ...PRIOR, pastResponses };
    }
    return {
      pastResponses,
      sharesFrom: 'history',
      completionRateFrom: 'history',
      shares: cohorts.map((each) => each / pastResponses) as unknown as Shares,
      completionRate: completed / finished,
    };
  }
}
