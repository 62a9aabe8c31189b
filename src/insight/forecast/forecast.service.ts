import { createHash } from 'node:crypto';
import { Injectable, OnModuleDestroy } from '@nestjs/common';
import stringify from 'safe-stable-stringify';
import { CampaignDocumentService } from '../../campaigns/document/campaign-document.service';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { CampaignGuardrailsService } from '../../campaigns/guardrail/campaign-guardrails.service';
import { LaunchCheckService } from '../../campaigns/life/launch-check.service';
import { TargetingService } from '../../campaigns/targeting/targeting.service';
import { EVERYBODY } from '../../campaigns/targeting/targeting.types';
import { TransactionContext } from '../../platform/database/transaction-context';
import { fieldError } from '../../platform/protocol/api-error';
import type { Principal } from '../../platform/caller/principal';
import { InterruptibleTurns } from '../../platform/limits/turns';
import { minorUnitsOf, toMinor } from './amount.rules';
import { sharesOf } from './attention.dto';
import { outcomeLimits } from './attention.rules';
import { crowdOf } from './expected-crowd';
import { Expectation, PRIOR } from './expectation.rules';
import { ForecastCampaignDto } from './forecast.dto';
import type { Terms } from './model.rules';
import { PastResponsesService } from './past-responses.service';
import { checkExpected, wantedOf } from './expected-answers.rules';
import { sampleKnownAfter } from './known-enough.rules';
import { checkAmounts, CONCURRENT_DEFAULT, RESPONDENTS, Size, sizeOf } from './plan.rules';
import { checkPopulation } from './population.rules';
import { Draws, streamsOf } from '../../platform/statistics/random.rules';
import type { Subject } from './subject.types';
import { summaryOfRuns } from './runs.rules';
import type { Start, Summary } from './summary.rules';
import type { TargetingSummary } from './targeting-summary.rules';

/** A forecast with everything that it rests on. */
export interface Forecast extends Size {
  subject: Subject;
  seed: number;
  concurrent: number;
  expectation: Expectation;
  summary: Summary & { targeting: TargetingSummary | null };
}

const PROGRESS = `
  SELECT answered, spent, screened_out FROM campaign_progress WHERE company_id = $1 AND campaign_id = $2`;

/** Runs campaigns with made-up respondents, by the service's own rules. Nothing is stored. */
@Injectable()
export class ForecastService implements OnModuleDestroy {
  /** Shared by all forecasts, so that other requests have their turn after each portion of any. */
  private readonly turns = new InterruptibleTurns('The forecast was interrupted. Send it again.');

  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly documents: CampaignDocumentService,
    private readonly launches: LaunchCheckService,
    private readonly past: PastResponsesService,
    private readonly targeting: TargetingService,
    private readonly guardrails: CampaignGuardrailsService,
  ) {}

  /** The shutdown does not wait for the runs that are still to come. */
  onModuleDestroy(): void {
    this.turns.stop();
  }

  /**
   * Forecasts a campaign. The same request with the same seed gives the same forecast, as long as
   * the campaign and, if it is used, the history are the same.
   *
   * @param gone ends the work
   * @throws ApiError `validation_failed`, `respondents_required`, `campaign_not_found`,
   *   `campaign_not_owned`, an error of applying the document, or `request_timeout` or
   *   `service_unavailable` if it was interrupted
   */
  async forecast(
    caller: Principal,
    request: ForecastCampaignDto,
    gone: AbortSignal,
  ): Promise<Forecast> {
    const subject = await this.subjectOf(caller, request);
    const expectation = await this.expectationOf(caller, request);
    const terms = termsOf(subject);
    const concurrent = request.concurrent ?? CONCURRENT_DEFAULT;
    const seed = request.seed ?? seedOf(request);
    const streams = streamsOf(seed);
    const turn = () => this.turns.next(gone);
    checkPopulation(subject.quotas?.targeting ?? EVERYBODY, request.attributes ?? []);
    const crowd = await crowdOf(subject, request, streams, turn);
    checkExpected(subject.completing, request.expected_answers ?? []);
    const knownAfter = await this.knownAfter(subject, request, terms, streams, turn);
    // With more responses than that, every run has ended.
    const places = Math.min(terms.places, Math.max(...knownAfter, 0) || Infinity);
    const size = sizeOf(request, { ...terms, places }, expectation, crowd);
    const rewards = [...terms.rewards, crowd?.screenOuts.reward ?? 0];
    checkAmounts(size.respondents, { rewards }, toMinor(subject.spent, subject.campaign));
    const summary = await summaryOfRuns(
      {
        ...size,
        terms,
        start: startOf(subject),
        limits: outcomeLimits(expectation.completionRate, expectation.shares),
        concurrent,
        crowd,
        knownAfter,
        streams,
      },
      turn,
    );
    return { ...size, subject, seed, concurrent, expectation, summary };
  }

  private async subjectOf(
    caller: Principal,
    { post_id, campaign: document }: ForecastCampaignDto,
  ): Promise<Subject> {
    if ((post_id === undefined) === (document === undefined)) {
      throw fieldError('', 'not_allowed', 'A forecast is of either post_id or campaign.');
    }
    if (document === undefined) {
      return this.read(caller, String(post_id), false);
    }
    return this.transaction.rehearse(async () => {
      const { applied } = await this.documents.apply(caller, { ...document, dry_run: false });
      return this.read(caller, String(applied.post_id), applied.result === 'created');
    });
  }

  private async read(
    { callerId: companyId }: Principal,
    postId: string,
    isNew: boolean,
  ): Promise<Subject> {
    const campaign = await this.campaigns.read(companyId, postId);
    const [progress = { answered: 0, spent: '0', screened_out: 0 }] =
      await this.transaction.manager.query<Pick<Subject, 'answered' | 'spent' | 'screened_out'>[]>(
        PROGRESS,
        [companyId, campaign.id],
      );
    const launch = await this.launches.check(campaign);
    const quotas =
      campaign.targetingVersion === null ? null : await this.targeting.quotas(companyId, postId);
    const completing = await this.guardrails.completing(companyId, postId);
    return { campaign, launch, isNew, quotas, completing, ...progress };
  }

  /** Responses until the first of the guardrails that complete a campaign does, in samples. */
  private async knownAfter(
    { completing }: Subject,
    { expected_answers = [], respondents = RESPONDENTS.maximum }: ForecastCampaignDto,
    { places }: Terms,
    streams: Iterator<Draws, never>,
    turn: () => Promise<void>,
  ): Promise<number[]> {
    const limit = Math.min(places, respondents);
    let first: number[] = [];
    for (const wanted of wantedOf(completing, expected_answers)) {
      const samples = await sampleKnownAfter(wanted, limit, streams.next().value, turn);
      first = samples.map((each, index) => Math.min(each, first[index] ?? Infinity));
    }
    return first;
  }

  private async expectationOf(
    { callerId: companyId }: Principal,
    { attention, completion_rate }: ForecastCampaignDto,
  ): Promise<Expectation> {
    const shares = attention && sharesOf(attention);
    const known = shares !== undefined && completion_rate !== undefined;
    return {
      ...(known ? PRIOR : await this.past.read(companyId)),
      ...(shares && { shares, sharesFrom: 'request' }),
      ...(completion_rate !== undefined && {
        completionRate: completion_rate,
        completionRateFrom: 'request',
      }),
    };
  }
}

function startOf({ campaign, answered, spent }: Subject): Start {
  const { budget } = campaign;
  return {
    minorUnits: minorUnitsOf(campaign),
    answered,
    spent: Number(toMinor(spent, campaign)),
    budget: budget === null ? null : Number(toMinor(budget, campaign)),
  };
}

/** What is left for those who begin from now on. Whoever is answering now counts as one of them. */
function termsOf({ campaign, answered, spent }: Subject): Terms {
  const { maxResponses, budget, cohortRewards } = campaign;
  return {
    rewards: cohortRewards.map((reward) => Number(toMinor(reward, campaign))),
    places: maxResponses === null ? Infinity : maxResponses - answered,
    money:
      budget === null ? Infinity : Number(toMinor(budget, campaign) - toMinor(spent, campaign)),
  };
}

/** A seed that belongs to a request: the beginning of its hash. */
function seedOf(request: ForecastCampaignDto): number {
  return createHash('sha256').update(stringify(request)).digest().readUInt32BE();
}
