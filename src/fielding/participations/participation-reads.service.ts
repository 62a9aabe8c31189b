import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { storedId } from '../../platform/database/identifiers';
import { columnList } from '../../platform/database/rows';
import { statementLimit } from '../../platform/database/statement-limit';
import { TransactionContext } from '../../platform/database/transaction-context';
import { cutPage, LAST_ID, Page, readCursor } from '../../platform/protocol/cursor';
import type { Principal } from '../../platform/caller/principal';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { platformOf } from './campaign-owners.service';
import { participationUnknown } from './fielding.errors';
import { FieldingKeys } from './fielding-keys.service';
import { Participation } from './participation.entity';
import { COUNTED_MAXIMUM, RespondentQueryDto } from './participation-read.dto';
import type { Earnings } from './participation.types';
import { currentOf, ParticipationRow, ReadParticipation } from './participations.service';

/** Participations with their campaigns and question sets, which are on the same shard. */
const participationsWhere = (columns: string, condition: string) => `
  SELECT ${columns}, c.post_id, c.currency, q.question_id, expires_at <= clock_timestamp() AS over
  FROM participation
  JOIN campaign AS c ON c.company_id = participation.company_id AND c.id = participation.campaign_id
  LEFT JOIN question_set AS q ON q.company_id = participation.company_id
    AND q.campaign_id = participation.campaign_id
    AND q.version = participation.question_set_version
  WHERE ${condition}`;

/** A participation by its identifier ($1), of a platform ($2). */
const BY_ID = 'participation.participation_id = $1 AND participation.platform = $2';

/** A respondent's participations ($1) in campaigns older than one ($2), in an index's order. */
const OF_RESPONDENT = 'participation.respondent = $1 AND participation.campaign_id < $2::bigint';
const ORDER = 'ORDER BY participation.campaign_id DESC';

/**
 * The sums over the first participations, of which there may be more, for each currency. A scalar
 * subquery reads the campaigns by their key; PostgreSQL could plan a join that reads all campaigns.
 */
const earningsWhere = (condition: string) => `
  SELECT currency, count(*)::integer AS participations,
    sum(CASE state WHEN 'submitted' THEN paid WHEN 'screened_out' THEN held END) AS earned,
    sum(paid) FILTER (WHERE state = 'reversed') AS reversed,
    sum(held) FILTER (WHERE state = 'open' AND expires_at > clock_timestamp()) AS held
  FROM (
    SELECT state, reward + coalesce(bonus, 0) AS paid, held, expires_at, (
      SELECT c.currency FROM campaign AS c
      WHERE c.company_id = participation.company_id AND c.id = participation.campaign_id
    ) AS currency
    FROM participation
    WHERE ${condition} ${ORDER} LIMIT ${COUNTED_MAXIMUM}
  ) AS counted
  GROUP BY currency ORDER BY currency`;

/** The condition that it is the company of a caller with a test key, and the parameter for it. */
const ownCompany = ({ platform }: Principal, parameter: string) =>
  platform === undefined ? ` AND participation.company_id = ${parameter}` : '';

const companyIn = ({ platform, callerId }: Principal) => (platform === undefined ? [callerId] : []);

type Row = ParticipationRow & { post_id: string; currency: string; question_id: string | null };

/** What a respondent has begun, with what it earned in all. */
export interface RespondentPage extends Page<ReadParticipation> {
  /** For each currency; `null` on the pages after the first. */
  earnings: Earnings[] | null;
}

/**
 * Reads what a caller's own respondents did, in the campaigns of all companies. On a cluster, every
 * shard reads one page at the most; a test key asks that of its company only.
 */
@Injectable()
export class ParticipationReads {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly keys: FieldingKeys,
  ) {}

  private get participations(): Repository<Participation> {
    return this.transaction.manager.getRepository(Participation);
  }

  /**
   * Returns a participation of the caller's respondent.
   *
   * @throws ApiError `participation_not_found`, also for one of another caller
   */
  async find(caller: Principal, participationId: string): Promise<ReadParticipation> {
    const condition = BY_ID + ownCompany(caller, '$3');
    const [row] = await this.participations.query<Row[]>(
      participationsWhere(columnList(this.participations), condition),
      [storedId('part', participationId), platformOf(caller), ...companyIn(caller)],
    );
    if (row === undefined) {
      throw participationUnknown();
    }
    return this.readOf(row);
  }

  /**
   * Returns a page of a respondent's participations, those in the newest campaign first.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    caller: Principal,
    { respondent_id, limit = PAGE_LIMIT_DEFAULT, cursor }: RespondentQueryDto,
  ): Promise<RespondentPage> {
    const respondent = this.keys.hashRespondent(platformOf(caller), respondent_id);
    const list = { participationsOf: respondent.toString('hex') };
    const [before = LAST_ID] = readCursor(cursor, list, ['number']);
    const condition = OF_RESPONDENT + ownCompany(caller, '$3');
    const parameters = [respondent, before, ...companyIn(caller)];
    const rows = await this.participations.query<Row[]>(
      `${participationsWhere(columnList(this.participations), condition)}
       ${ORDER} LIMIT ${statementLimit(limit) + 1}`,
      parameters,
    );
    const page = cutPage(
      rows.map((row) => this.readOf(row)),
      limit,
      ({ participation }) => [participation.campaignId],
      list,
    );
    const earnings =
      cursor === undefined
        ? await this.participations.query<Earnings[]>(earningsWhere(condition), parameters)
        : null;
    return { ...page, earnings };
  }

  private readOf(row: Row): ReadParticipation {
    const { post_id: postId, currency, question_id: questionId } = row;
    return { ...currentOf(this.participations, { postId, currency }, row), questionId };
  }
}
