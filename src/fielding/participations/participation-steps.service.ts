import { Injectable } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import { ApiError, ErrorDetail, fieldDetail, summarize } from '../../platform/protocol/api-error';
import { measure } from '../quality/quality.rules';
import { Answer, checkAnswers, SentAnswer } from '../../campaigns/questions/answer.rules';
import { toStoredAnswers, unordered } from '../../campaigns/questions/stored-answer.rules';
import type { Asked } from '../../campaigns/questions/question.types';
import { cohortOf } from './attention.rules';
import type { Fielded } from './campaign-owners.service';
import type { SubmitDto } from './fielding.dto';
import { countParticipations } from './fielding.registry';
import { participationClosed, participationNotSubmitted } from './fielding.errors';
import { FieldingKeys } from './fielding-keys.service';
import type { ParticipationStatus } from './participation.types';
import {
  CurrentParticipation,
  ParticipationsService,
  PinnedParticipation,
  TakenStep,
} from './participations.service';

const BACKDATE = `
  UPDATE participation AS p SET begun_at = (hold.created_at AT TIME ZONE 'UTC'
    - least($4 * interval '1 millisecond', (p.expires_at - hold.created_at) * 0.9)
  ) AT TIME ZONE 'UTC'
  FROM transfer AS hold
  WHERE p.company_id = $1 AND p.campaign_id = $2 AND p.participation_id = $3 AND p.state = 'open'
    AND hold.company_id = $1 AND hold.participation_id = $3 AND hold.kind = 'hold'`;

/** What cannot be given up, because the respondent was paid. */
const KEPT: readonly ParticipationStatus[] = ['submitted', 'reversed', 'screened_out'];

/**
 * The steps of a respondent after the beginning. Each is one call of a
 * function of the database, which changes the participation, the ledger, the campaign's counters
 * and the log together.
 */
@Injectable()
export class ParticipationSteps {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly participations: ParticipationsService,
    private readonly sequencer: SequencerService,
    private readonly keys: FieldingKeys,
  ) {}

  /**
   * Pays a participation for its submission, if it is open.
   *
   * @param found the participation as it was read
   * @throws ApiError `validation_failed` or `participation_closed`
   */
  async submit(
    fielded: Fielded,
    found: PinnedParticipation,
    submission: Pick<SubmitDto, 'attention_score' | 'answers'>,
    actor: string,
  ): Promise<PinnedParticipation> {
    const { attention_score } = submission;
    const asked = askedOf(found);
    const answers = toStoredAnswers(asked, submission.answers);
    const same = JSON.stringify([attention_score, unordered(asked, answers)]);
    const content = this.keys.hashSubmission(same);
    let current = found;
    if (found.status === 'open') {
      const wrong = findWrongAnswers(found, submission.answers);
      if (wrong.length > 0) {
        throw new ApiError('validation_failed', summarize(wrong), wrong);
      }
      const submitted = await this.participations.take(
        'submit',
        fielded,
        found.participation.participationId,
        attention_score,
        cohortOf(attention_score),
        content,
        JSON.stringify(answers),
        actor,
        ...this.measured(found, answers),
      );
      this.ended(fielded.companyId, submitted);
      current = Object.assign({}, found, submitted);
    }
    if (current.participation.submission?.equals(content) !== true) {
      throw participationClosed(current.status);
    }
    return current;
  }

  /**
   * Moves the beginning of an open participation of a test campaign so many milliseconds before the
   * hold of its money, as if a person had answered; fewer than it had for its answers. Repeating it
   * changes nothing.
   */
  async backdate(
    { companyId, campaignId }: Fielded,
    participationId: StoredId,
    milliseconds: number,
  ): Promise<void> {
    await this.transaction.manager.query(BACKDATE, [
      companyId,
      campaignId,
      participationId,
      milliseconds,
    ]);
  }

  /**
   * Gives the place of a participation back, if it is open.
   *
   * @throws ApiError `participation_closed` if it was paid
   */
  async abandon(fielded: Fielded, found: CurrentParticipation): Promise<CurrentParticipation> {
    let current = found;
    if (found.participation.state === 'open') {
      const { participationId } = found.participation;
      const abandoned = await this.participations.take('abandon', fielded, participationId);
      this.ended(fielded.companyId, abandoned);
      current = abandoned;
    }
    if (KEPT.includes(current.status)) {
      throw participationClosed(current.status);
    }
    return current;
  }

  /**
   * Takes the reward of a submitted participation back.
   *
   * @throws ApiError `participation_not_submitted`
   */
  async reverse(
    fielded: Fielded,
    found: CurrentParticipation,
    reason: string,
    actor: string,
  ): Promise<CurrentParticipation> {
    let current = found;
    if (found.status === 'submitted') {
      const { participationId } = found.participation;
      const reversed = await this.participations.take(
        'reverse',
        fielded,
        participationId,
        reason,
        actor,
      );
      this.ended(fielded.companyId, reversed);
      current = reversed;
    }
    if (current.status !== 'reversed') {
      throw participationNotSubmitted(current.status);
    }
    return current;
  }

  /** Counts a step if this call has taken it, and numbers its event. */
  private ended(companyId: StoredId, { became }: TakenStep): void {
    if (became !== null) {
      this.count(became, companyId);
    }
    this.wake(companyId);
  }

  private count(...step: Parameters<typeof countParticipations>): void {
    this.transaction.afterSuccess(() => {
      countParticipations(...step);
    });
  }

  /** The signals of quality of valid answers, in the order in which the function takes them. */
  private measured({ campaign, questions, postId }: PinnedParticipation, answers: Answer[]) {
    const signals = measure(askedOf({ campaign, questions }), answers);
    return [
      signals.longestRun,
      signals.comparedAnswers,
      signals.consistency,
      signals.text === null ? null : this.keys.hashText(postId, signals.text),
      signals.flags,
    ] as const;
  }

  /** Numbers the new events of a company soon. The caller's own company is not the campaign's. */
  private wake(companyId: StoredId): void {
    this.transaction.afterEnd(() => {
      this.sequencer.wake(companyId);
    });
  }
}

function askedOf({
  campaign,
  questions,
}: Pick<PinnedParticipation, 'campaign' | 'questions'>): Asked {
  const { format, imageSurvey } = campaign;
  return { format, questions, imageSurvey };
}

/** Returns what is wrong with the answers, besides those at the positions in `invalid`. */
export function findWrongAnswers(
  found: PinnedParticipation,
  answers: readonly SentAnswer[],
  invalid?: ReadonlySet<number>,
): ErrorDetail[] {
  return checkAnswers(askedOf(found), answers, invalid).map(({ at = '', code, message }) =>
    fieldDetail(`answers${at}`, code, message),
  );
}
