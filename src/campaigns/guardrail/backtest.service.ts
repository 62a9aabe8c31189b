import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CampaignService } from '../campaign/campaign.service';
import { CampaignStatus, isStoppedByGuardrail, StopReason } from '../campaign/campaign.types';
import { statementLimit } from '../../platform/database/statement-limit';
import { refuseBeyond } from '../../platform/event/feed-position.rules';
import { fieldError, serviceUnavailable } from '../../platform/protocol/api-error';
import { cutPage, LAST_ID, Page, readCursor } from '../../platform/protocol/cursor';
import { InterruptibleTurns, OneByOne } from '../../platform/limits/turns';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import type { CampaignEntry } from './advance.rules';
import type { BacktestDto, BacktestedCampaignDto, BacktestGuardrailDto } from './backtest.dto';
import { Trial } from './backtest.rules';
import { campaignsToTry, LOG_RANGE } from './backtest.statements';
import type { Condition } from './condition.rules';
import { detailOf } from './evaluation.service';
import { looksOf } from './answer-looks.rules';
import { GuardrailConditions } from './guardrail-conditions.service';
import { GuardrailService } from './guardrail.service';
import { logEntries } from './guardrail.statements';
import type { StoredId } from '../../platform/database/identifiers';
import { printEnvironment } from '../../platform/caller/environment.rules';

/** Events that one statement looks at. */
const LOOK = 5_000;

/** Milliseconds that one request may read the log, without its waits for others. */
const PATIENCE = 60_000;

interface TriedCampaign {
  id: string;
  post_id: string;
  status: CampaignStatus;
  stop_reason: StopReason | null;
  was_stopped: boolean | null;
  currency: string;
  responses: number;
  reversals: number;
  created_seq: number | null;
}

/** A campaign with what the guardrail did to it. */
interface Tried {
  campaign: TriedCampaign;
  trial: Trial;
}

/** What is tried, and on what. */
interface Attempt {
  companyId: StoredId;
  conditions: Condition[];
  /** `null` for every campaign. */
  postId: string | null;
}

/** The events after one number up to another one. */
interface Range {
  since: number;
  last: number;
}

/** Tries guardrails on what already happened. It reads only, and holds no connection meanwhile. */
@Injectable()
export class BacktestService implements OnModuleDestroy {
  /** Shared by all backtests, so that other requests have their turn after each portion of any. */
  private readonly turns = new InterruptibleTurns('The backtest was interrupted. Send it again.');
  /** Lets one backtest at a time read and evaluate some events, on one connection for all. */
  private readonly steps = new OneByOne();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly guardrails: GuardrailService,
    private readonly conditions: GuardrailConditions,
    private readonly campaigns: CampaignService,
  ) {}

  /** The shutdown does not wait for the log that is still to be read. */
  onModuleDestroy(): void {
    this.turns.stop();
  }

  /**
   * Tries a guardrail on a page of campaigns.
   *
   * @param gone ends the work
   * @throws ApiError `validation_failed`, `guardrail_not_found`, `campaign_not_found`,
   *   `campaign_not_owned`, `feed_position_unknown`, `request_timeout` if the client has gone, or
   *   `service_unavailable` if the service stops, it took too long, or events were archived
   */
  async backtest(
    companyId: StoredId,
    request: BacktestGuardrailDto,
    gone: AbortSignal,
  ): Promise<BacktestDto> {
    const attempt = await this.attemptOf(companyId, request);
    // Before the campaigns, so that their counts include everything up to the last event.
    const range = await this.rangeOf(companyId, request.after_seq);
    const { items, nextCursor } = await this.pageOf(attempt, request);
    const trials = await this.readLog(attempt, range, items, gone);
    if ((await this.rangeOf(companyId, request.after_seq)).since > range.since) {
      throw serviceUnavailable(
        'A part of the log was archived meanwhile. Send the backtest again.',
      );
    }
    const tried = [...trials.values()].map(describe);
    const finished = tried.filter((each) => each.finished);
    return {
      items: tried,
      from_seq: range.since + 1,
      to_seq: range.last,
      fired: tried.filter(({ fired }) => fired !== null).length,
      finished: finished.length,
      fired_on_finished: finished.filter(({ fired }) => fired !== null).length,
      next_cursor: nextCursor,
    };
  }

  private async attemptOf(
    companyId: StoredId,
    { guardrail_id, when, post_id }: BacktestGuardrailDto,
  ): Promise<Attempt> {
    if ((guardrail_id === undefined) === (when === undefined)) {
      throw fieldError('', 'not_allowed', 'A backtest is of either guardrail_id or when.');
    }
    if (post_id !== undefined) {
      await this.campaigns.findOwned(companyId, post_id);
    }
    if (when !== undefined) {
      const conditions = await this.conditions.check(companyId, post_id, when);
      return { companyId, conditions, postId: post_id ?? null };
    }
    const { guardrail } = await this.guardrails.findOwned(companyId, String(guardrail_id));
    const { conditions, postId } = guardrail;
    return { companyId, conditions, postId: post_id ?? postId };
  }

  private async rangeOf(companyId: StoredId, after = 0): Promise<Range> {
    const [{ first, last } = { first: 1, last: 0 }] = await this.dataSource.query<
      { first: number; last: number }[]
    >(LOG_RANGE, [companyId]);
    refuseBeyond(last, { after_seq: after });
    return { since: Math.max(after, first - 1), last };
  }

  private async pageOf(
    { companyId, conditions, postId }: Attempt,
    { limit = PAGE_LIMIT_DEFAULT, cursor, after_seq }: BacktestGuardrailDto,
  ): Promise<Page<TriedCampaign>> {
    const list = ['backtest', printEnvironment(companyId), conditions, postId, after_seq];
    const [before = LAST_ID] = readCursor(cursor, list, ['number']);
    const rows = await this.dataSource.query<TriedCampaign[]>(
      campaignsToTry(statementLimit(limit) + 1),
      [companyId, before, postId],
    );
    return cutPage(rows, limit, ({ id }) => [id], list);
  }

  /** Reads the log once, for all campaigns of a page. */
  private async readLog(
    { companyId, conditions }: Attempt,
    { since, last }: Range,
    campaigns: readonly TriedCampaign[],
    gone: AbortSignal,
  ): Promise<Map<string, Tried>> {
    const trials = new Map(
      campaigns.map((campaign) => [
        campaign.post_id,
        { campaign, trial: new Trial(conditions, since) },
      ]),
    );
    const detail = detailOf(conditions);
    const statement = logEntries(detail);
    const looks = looksOf(conditions);
    const looksByCampaign =
      detail.of === 'answers'
        ? [JSON.stringify(Object.fromEntries([...trials.keys()].map((id) => [id, looks])))]
        : [];
    let spent = 0;
    const step = async (after: number, upTo: number) => {
      const begun = performance.now();
      await this.turns.next(gone);
      const parameters = [companyId, after, upTo, [...trials.keys()], ...looksByCampaign];
      const entries = await this.dataSource.query<CampaignEntry[]>(statement, parameters);
      await this.turns.forEach(entries, gone, (entry) => {
        trials.get(entry.post_id)?.trial.read(entry);
      });
      spent += performance.now() - begun;
    };
    // Nobody responds to a campaign before it exists.
    const created = campaigns.map(({ created_seq }) => created_seq ?? since);
    for (
      let at = Math.max(since, Math.min(...created, last));
      at < last && ![...trials.values()].every((each) => isWhole(each, since));
      at += LOOK
    ) {
      const after = at;
      await this.steps.run(() => step(after, Math.min(last, after + LOOK)));
      if (spent > PATIENCE) {
        throw serviceUnavailable(
          'The backtest took too long. Try fewer campaigns, or a later after_seq.',
        );
      }
    }
    return trials;
  }
}

/** Whether everything that ever happened to a campaign is read. */
function isWhole({ campaign, trial }: Tried, since: number): boolean {
  const { created_seq, responses, reversals } = campaign;
  return (
    created_seq !== null &&
    created_seq > since &&
    trial.responses === responses &&
    trial.reversals === reversals
  );
}

function describe({ campaign, trial }: Tried): BacktestedCampaignDto {
  const { post_id, status, stop_reason, was_stopped, currency } = campaign;
  const { fired, responses, responsesAfter, spentAfter } = trial;
  const isFinished = status === 'completed' || status === 'archived';
  return {
    post_id,
    status,
    stop_reason,
    // One that fired too late to stop it gives it this reason too.
    finished: isFinished && (!isStoppedByGuardrail(stop_reason) || was_stopped === false),
    currency,
    responses,
    fired: fired && { ...fired, at: new Date(fired.at) },
    responses_after: responsesAfter,
    spent_after: spentAfter / 100,
  };
}
