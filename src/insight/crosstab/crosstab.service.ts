import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { keyOf } from '../../campaigns/questions/shown.rules';
import { queueNameOf } from '../../platform/caller/environment.rules';
import type { StoredId } from '../../platform/database/identifiers';
import { HeavyWork } from '../../platform/limits/heavy-work';
import { ApiError, retryLater } from '../../platform/protocol/api-error';
import { FoldService } from '../results/fold.service';
import { findTabulation } from '../results/tabulation.rules';
import { ResultsTurns } from '../results/results-turns.service';
import { ALL, countingOf } from '../results/tally.rules';
import { CountedRow, positionOf, TallyPosition } from '../results/tally.columns';
import { COLUMNS_MAXIMUM } from './comparison.rules';
import { CountingService, InTurn } from './counting.service';
import { CrosstabDto, CrosstabQueryDto } from './crosstab.dto';
import { tableNotPossible } from './crosstab.errors';
import { CAMPAIGN, CampaignRow, TALLY, VersionRow, VERSIONS } from './crosstab.statements';
import { findItem, planColumns, planRows, QUOTA, RowsPlan, shownQuestion } from './plan.rules';
import {
  cellsToRead,
  countedColumns,
  talliedColumns,
  TalliedGroups,
  TablePlan,
} from './table-source.rules';
import { Counted, TableWork } from './table.rules';

/** Cells of a table, at most. */
const CELLS_MAXIMUM = 10_000;

/** What a table is about, and what the tally has for it. */
interface Read extends TallyPosition {
  plan: TablePlan;
  groups: TalliedGroups;
}

@Injectable()
export class CrosstabService {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly fold: FoldService,
    private readonly counting: CountingService,
    private readonly turns: ResultsTurns,
    private readonly heavy: HeavyWork,
  ) {}

  /**
   * Crosses the answers to a question with other answers, cohorts, a quota, platforms or versions.
   * Columns of answers that are no banner, and platforms, are counted from the stored answers.
   *
   * @param gone ends the work
   * @param hasTurn whether the caller has a turn of heavy work already, as a `Heavy` route has: it
   *   must not wait for another one
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `question_set_not_found`,
   *   `quota_not_found`, `crosstab_not_possible`, `rate_limited`, or `request_timeout` or
   *   `service_unavailable` if it was interrupted
   */
  async read(
    companyId: StoredId,
    postId: string,
    query: CrosstabQueryDto,
    gone: AbortSignal,
    { hasTurn = false } = {},
  ): Promise<CrosstabDto> {
    const caller = queueNameOf(companyId);
    if (this.heavy.isFull(caller)) {
      throw retryLater('rate_limited', 'Too many tables are being read. Try again shortly.');
    }
    const inTurn: InTurn = (work) => (hasTurn ? work() : this.heavy.run(caller, work));
    const read = await inTurn(() => this.readTally(companyId, postId, query));
    const { plan } = read;
    const tallied = talliedColumns(plan, read.groups);
    const counted = tallied ?? (await this.countAnswers(companyId, read, inTurn, gone));
    const work = new TableWork(counted);
    if (work.cells > CELLS_MAXIMUM) {
      throw tableNotPossible('rows', `and columns make more than ${CELLS_MAXIMUM} cells`);
    }
    await this.turns.forEach(work.measure(), gone, () => undefined);
    const { rows, columns, version, counting } = plan;
    return {
      post_id: postId,
      version,
      as_of_seq: read.asOfSeq,
      behind: read.behind,
      as_of: read.asOf,
      cohorts_counted: [...counting.cohorts],
      question: shownQuestion(rows, rows.row),
      columns_by: columns.by,
      ...(columns.by === 'question' ? { column_question: shownQuestion(columns) } : {}),
      is_banner: columns.by === 'question' && tallied !== null,
      overlapping: counted.overlapping,
      ...work.table(),
    };
  }

  private async readTally(
    companyId: StoredId,
    postId: string,
    query: CrosstabQueryDto,
  ): Promise<Read> {
    const columnsAreQuota = query.columns.startsWith(QUOTA);
    const read = await this.fold.catchUp(companyId, async (manager, unnumbered) => {
      const [campaign] = await manager.query<(CampaignRow | undefined)[]>(CAMPAIGN, [
        companyId,
        postId,
        query.version ?? null,
        columnsAreQuota ? query.columns.slice(QUOTA.length) : null,
      ]);
      if (campaign === undefined) {
        return undefined;
      }
      const plan = await this.plan(manager, companyId, postId, query, campaign);
      const rows = await manager.query<CountedRow[]>(TALLY, [
        companyId,
        campaign.id,
        [...plan.items.keys()],
        [...plan.items.values()],
        cellsToRead(plan),
      ]);
      return { plan, rows, unnumbered };
    });
    if (read === undefined) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const { plan, rows, unnumbered } = read;
    const position = positionOf(rows, companyId, unnumbered);
    return { plan, groups: new TalliedGroups(plan, rows), ...position };
  }

  private async plan(
    manager: EntityManager,
    companyId: StoredId,
    postId: string,
    query: CrosstabQueryDto,
    { id, version, questions, cell, tabulations }: CampaignRow,
  ): Promise<TablePlan> {
    if (version === null || questions === null) {
      throw query.version === undefined
        ? tableNotPossible('rows', 'must name a question, of which the campaign has none')
        : new ApiError('question_set_not_found', `${postId} has no question set ${query.version}.`);
    }
    const rows = planRows(questions, query.rows, query.row);
    const columns = planColumns(questions, query.columns);
    if (columns.by === 'quota' && cell === null) {
      throw new ApiError('quota_not_found', `${postId} has no quota ${columns.name}.`);
    }
    const items =
      columns.by === 'version'
        ? await this.itemsByVersion(manager, companyId, id, rows)
        : new Map([[version, rows.item]]);
    const counting = countingOf(query);
    const banner =
      columns.by === 'question'
        ? findTabulation(tabulations, [{ question: keyOf(columns.question, columns.position) }])
        : undefined;
    return { campaignId: id, version, rows, columns, items, cell: cell ?? ALL, banner, counting };
  }

  /** Where each version has the question of the rows, if it is of the same type there. */
  private async itemsByVersion(
    manager: EntityManager,
    companyId: StoredId,
    campaignId: string,
    { question, position, row }: RowsPlan,
  ): Promise<Map<number, string>> {
    const found = await manager.query<VersionRow[]>(VERSIONS, [
      companyId,
      campaignId,
      keyOf(question, position),
      COLUMNS_MAXIMUM,
    ]);
    const items = new Map<number, string>();
    for (const each of found.filter((other) => other.question.type === question.type)) {
      const item = findItem(each.question, each.position, row);
      if (item !== undefined) {
        items.set(each.version, item);
      }
    }
    return items;
  }

  private async countAnswers(
    companyId: StoredId,
    { plan, groups, asOfSeq, behind, asOf }: Read,
    inTurn: InTurn,
    gone: AbortSignal,
  ): Promise<Counted> {
    const { campaignId, version, rows, columns } = plan;
    const [total] = groups.of(ALL);
    const amounts = await this.counting.count(
      {
        companyId,
        campaignId,
        version,
        rows: rows.position,
        columns: columns.by === 'question' ? columns.position : null,
        level: total?.tallied.of('coarse', rows.item)[0] ?? 0,
        asOfSeq,
        asOf,
        isBehind: behind > 0,
      },
      inTurn,
      gone,
    );
    return countedColumns(plan, amounts);
  }
}
