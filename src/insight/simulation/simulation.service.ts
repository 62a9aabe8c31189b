import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { Big } from 'big.js';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { currentStateOf } from '../../campaigns/campaign/status.rules';
import { modeOf } from '../../platform/caller/environment.rules';
import { CampaignOwners, Fielded } from '../../fielding/participations/campaign-owners.service';
import { Beginning } from '../../fielding/participations/beginning.service';
import { ParticipationSteps } from '../../fielding/participations/participation-steps.service';
import {
  ParticipationsService,
  PinnedParticipation,
} from '../../fielding/participations/participations.service';
import { TargetingService } from '../../campaigns/targeting/targeting.service';
import {
  Attributes,
  REFUSAL_REASONS,
  RefusalReason,
} from '../../campaigns/targeting/targeting.types';
import { sharesOf } from '../forecast/attention.dto';
import type { Shares } from '../forecast/attention.rules';
import { PRIOR } from '../forecast/expectation.rules';
import { checkPopulation, populationOf } from '../forecast/population.rules';
import { Draws, streamsOf } from '../../platform/statistics/random.rules';
import { GuardrailWatcher } from '../../campaigns/guardrail/guardrail-watcher.service';
import { ApiError } from '../../platform/protocol/api-error';
import { actorOf, Principal } from '../../platform/caller/principal';
import { InterruptibleTurns } from '../../platform/limits/turns';
import type { Answer } from '../../campaigns/questions/answer.rules';
import type { Question } from '../../campaigns/questions/question.types';
import { paidScreenOut } from '../../campaigns/targeting/targeting.errors';
import { answering, answeringQuestions } from './answers.rules';
import { drawAnswerTime, drawScore, respondentId } from './respondent.rules';
import { Refusal, REFUSALS, SimulateCampaignDto, SimulationDto } from './simulation.dto';

/** What became of the respondents so far. */
interface Tally {
  begun: number;
  submitted: number;
  abandoned: number;
  refused: Map<Refusal, number>;
  /** By what refused, and the name of its rule. */
  refusedBy: Map<string, { code: RefusalReason; rule: string; refused: number }>;
  spent: Big;
}

/** Answers to each question set that respondents have been given, by its question_id. */
type Habits = Map<string | null, (draws: Draws) => Answer[]>;

/** What all respondents of a simulation have in common. */
interface Population {
  fielded: Fielded;
  /** Who submits. */
  actor: string;
  completionRate: number;
  shares: Shares;
  /** Draws what a respondent is. */
  attributesOf: (draws: Draws) => Attributes;
  /** Answers the screening questions, which may be none. */
  screeningAnswersOf: (draws: Draws) => Answer[];
  /** For the preferences; every question set begins with a copy. */
  preferences: Draws;
  habits: Habits;
}

/**
 * Lets made-up respondents take part in a test campaign, one after the other, through the same
 * service as real ones.
 *
 * Each step is a transaction of its own and can be repeated: a respondent is the same for the same
 * seed, begins once, and submits the same answers. So a call that was interrupted continues where
 * it stopped when it is sent again.
 */
@Injectable()
export class SimulationService implements OnModuleDestroy {
  private readonly turns = new InterruptibleTurns(
    'The simulation was interrupted. Send it again to continue it.',
  );

  constructor(
    private readonly campaigns: CampaignService,
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
    private readonly beginning: Beginning,
    private readonly steps: ParticipationSteps,
    private readonly guardrails: GuardrailWatcher,
    private readonly targeting: TargetingService,
  ) {}

  /** The shutdown does not wait for the respondents who are still to come. */
  onModuleDestroy(): void {
    this.turns.stop();
  }

  /**
   * Simulates respondents. Those who took part in an earlier call with the same seed count as they
   * are.
   *
   * @param gone ends the work after the current respondent
   * @throws ApiError `test_key_required`, `campaign_not_found`, `campaign_not_owned`,
   *   `validation_failed` for attributes that are not those of the campaign, or
   *   `request_timeout` or `service_unavailable` if it was interrupted
   */
  async simulate(
    caller: Principal,
    request: SimulateCampaignDto,
    gone: AbortSignal,
  ): Promise<SimulationDto> {
    const { callerId: companyId } = caller;
    if (modeOf(companyId) !== 'test') {
      throw testKeyRequired();
    }
    const { post_id, seed, respondents } = request;
    const fielded = await this.owners.find(caller, post_id);
    const { targeting } = await this.targeting.current(companyId, post_id);
    checkPopulation(targeting, request.attributes ?? []);
    const attributesOf = populationOf(targeting, request.attributes);
    const common = { fielded, actor: actorOf(caller), attributesOf };
    const tally = await this.run(common, targeting.screening_questions, request, gone);
    const campaign = await this.campaigns.findOwned(companyId, post_id);
    const { begun, submitted, abandoned, refused, refusedBy, spent } = tally;
    return {
      post_id,
      seed,
      respondents,
      begun,
      submitted,
      abandoned,
      refused: [...refused].map(([code, count]) => ({ code, count })),
      refused_by: [...refusedBy.values()],
      currency: campaign.currency,
      spent: spent.toNumber(),
      status: currentStateOf(campaign).status,
    };
  }

  private async run(
    common: Pick<Population, 'fielded' | 'actor' | 'attributesOf'>,
    screening: readonly Question[],
    { seed, respondents, attention, abandon_rate }: SimulateCampaignDto,
    gone: AbortSignal,
  ): Promise<Tally> {
    const streams = streamsOf(seed);
    const preferences = streams.next().value;
    const population: Population = {
      ...common,
      screeningAnswersOf: answeringQuestions(screening, preferences.clone()),
      completionRate: abandon_rate === undefined ? PRIOR.completionRate : 1 - abandon_rate,
      shares: (attention && sharesOf(attention)) ?? PRIOR.shares,
      preferences,
      habits: new Map(),
    };
    const tally: Tally = {
      begun: 0,
      submitted: 0,
      abandoned: 0,
      refused: new Map(),
      refusedBy: new Map(),
      spent: new Big(0),
    };
    for (let position = 1; position <= respondents; position += 1) {
      await this.turns.next(gone);
      await this.guardrails.settle(population.fielded.companyId);
      await this.takePart(population, respondentId(seed, position), streams.next().value, tally);
    }
    return tally;
  }

  /** Lets one respondent begin, and then submit or abandon. */
  private async takePart(
    population: Population,
    respondent: string,
    draws: Draws,
    tally: Tally,
  ): Promise<void> {
    const { fielded, actor, completionRate, shares, attributesOf } = population;
    const attributes = attributesOf(draws);
    const score = drawScore(completionRate, shares, draws);
    const beginner = { attributes, screening_answers: population.screeningAnswersOf(draws) };
    try {
      const place = await this.beginning.begin(fielded, respondent, actor, beginner);
      if ('screenedOut' in place) {
        tally.spent = tally.spent.plus(place.screenedOut.reward);
        throw paidScreenOut(place.screenedOut);
      }
      tally.begun += 1;
      const found = await this.participations.findPinned(fielded, place.id);
      if (score === undefined) {
        await this.steps.abandon(fielded, found);
        tally.abandoned += 1;
        return;
      }
      const answers = answersOf(population, found, draws);
      const submission = { attention_score: score, answers };
      if (found.status === 'open') {
        await this.steps.backdate(fielded, place.id, drawAnswerTime(score, answers.length, draws));
      }
      const { participation } = await this.steps.submit(fielded, found, submission, actor);
      tally.submitted += 1;
      // One that took part in an earlier call may have been reversed.
      tally.spent = tally.spent.plus(
        participation.state === 'reversed' ? 0 : (participation.reward ?? 0),
      );
    } catch (error) {
      const code = refusalIn(error);
      tally.refused.set(code, (tally.refused.get(code) ?? 0) + 1);
      countRule(tally, code, error);
    }
  }
}

/** Counts the rule that refused a respondent, if it was one. */
function countRule({ refusedBy }: Tally, refusal: Refusal, error: unknown): void {
  const { rule } = (error as ApiError).properties;
  const code = REFUSAL_REASONS.find((each) => each === refusal);
  if (code !== undefined && rule !== undefined) {
    const key = JSON.stringify([code, rule]);
    const known = refusedBy.get(key) ?? { code, rule, refused: 0 };
    refusedBy.set(key, { ...known, refused: known.refused + 1 });
  }
}

/** Answers the questions that the participation began with. */
function answersOf(
  { preferences, habits }: Population,
  { campaign, questionId, questions }: PinnedParticipation,
  draws: Draws,
): Answer[] {
  let answer = habits.get(questionId);
  if (answer === undefined) {
    const { format, imageSurvey } = campaign;
    answer = answering({ format, imageSurvey, questions }, preferences.clone());
    habits.set(questionId, answer);
  }
  return answer(draws);
}

/** Returns why a step was refused; every other error ends the simulation. */
function refusalIn(error: unknown): Refusal {
  const code = REFUSALS.find((each) => error instanceof ApiError && error.code === each);
  if (code === undefined) {
    throw error;
  }
  return code;
}

const testKeyRequired = () =>
  new ApiError(
    'test_key_required',
    'A simulation needs a test key: made-up respondents would be paid real rewards.',
  );
