import { Injectable } from '@nestjs/common';
import { DueCampaignsService } from '../campaign/due-campaigns.service';
import { withConstraints } from '../database/constraint-violation';
import { newId } from '../database/identifiers';
import { TransactionContext } from '../database/transaction-context';
import { SequencerService } from '../event/sequencer.service';
import { ApiError, ErrorDetail, summarize } from '../http/api-error';
import { actorOf, Principal } from '../http/principal';
import { Answer, checkAnswers, inOrder } from '../responses/answer.rules';
import { cohortOf } from './attention.rules';
import { CampaignOwners } from './campaign-owners.service';
import { BeginDto, ParticipationDto, ReverseDto, SubmitDto } from './fielding.dto';
import { participationClosed, participationNotSubmitted, PLACE_ERRORS } from './fielding.errors';
import { FieldingKeys } from './fielding-keys.service';
import {
  CurrentParticipation,
  ParticipationsService,
  PinnedParticipation,
} from './participations.service';

/** Times that a campaign can be due one after the other: its start, its end, and one in reserve. */
const DUE_MAXIMUM = 3;

const BEGIN = 'SELECT begin_participation($1, $2, $3, $4, $5) AS id';

/**
 * A respondent's way through a campaign. Each step is one call of a function of the database, which
 * changes the participation, the ledger, the campaign's counters and the log together.
 */
@Injectable()
export class FieldingService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
    private readonly dueCampaigns: DueCampaignsService,
    private readonly sequencer: SequencerService,
    private readonly keys: FieldingKeys,
  ) {}

  /**
   * Takes a place for a respondent, who keeps the questions and rewards as they are now. A respondent
   * who has begun this campaign before gets the same participation again.
   *
   * @returns the participation_id
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `campaign_not_live`,
   *   `campaign_completed` or `fully_held`
   */
  async begin(caller: Principal, { post_id, respondent_id }: BeginDto): Promise<string> {
    const fielded = await this.owners.find(caller, post_id);
    const { companyId, campaignId, platform } = fielded;
    const respondent = this.keys.hashRespondent(platform, respondent_id);
    const parameters = [companyId, campaignId, newId('part'), platform, respondent];
    for (let due = 0; due <= DUE_MAXIMUM; due += 1) {
      const [{ id }] = await withConstraints(
        () => this.transaction.manager.query<[{ id: string | null }]>(BEGIN, parameters),
        PLACE_ERRORS,
      );
      if (id !== null) {
        return id;
      }
      await this.dueCampaigns.settle(companyId, [campaignId]);
      this.wake(companyId);
    }
    throw new Error(`${post_id} stays due`);
  }

  /**
   * Returns a participation with what was promised and what to show.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `participation_not_found`
   */
  async read(caller: Principal, postId: string, id: string): Promise<PinnedParticipation> {
    return this.participations.findPinned(await this.owners.find(caller, postId), id);
  }

  /**
   * Pays the reward of the cohort that the attention score belongs to (section 2.3). The same
   * submission again returns the same result.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `participation_not_found`,
   *   `validation_failed` for answers that do not fit the questions, or `participation_closed`
   */
  async submit(caller: Principal, submission: SubmitDto): Promise<PinnedParticipation> {
    const { post_id, participation_id, attention_score } = submission;
    const fielded = await this.owners.find(caller, post_id);
    const answers = inOrder(submission.answers);
    const content = this.keys.hashSubmission(JSON.stringify([attention_score, answers]));
    let found = await this.participations.findPinned(fielded, participation_id);
    if (found.status === 'open') {
      refuseWrongAnswers(found, submission.answers);
      const submitted = await this.participations.take(
        'submit',
        fielded,
        participation_id,
        attention_score,
        cohortOf(attention_score),
        content,
        JSON.stringify(answers),
        actorOf(caller),
      );
      this.wake(fielded.companyId);
      found = { ...found, ...submitted };
    }
    if (found.participation.submission?.equals(content) !== true) {
      throw participationClosed(found.status);
    }
    return found;
  }

  /**
   * Gives a place back. Abandoning what is abandoned or expired changes nothing.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `participation_not_found`, or
   *   `participation_closed` if it was submitted
   */
  async abandon(
    caller: Principal,
    { post_id, participation_id }: ParticipationDto,
  ): Promise<CurrentParticipation> {
    const fielded = await this.owners.find(caller, post_id);
    let found = await this.participations.find(fielded, participation_id);
    if (found.participation.state === 'open') {
      found = await this.participations.take('abandon', fielded, participation_id);
      this.wake(fielded.companyId);
    }
    if (found.status === 'submitted' || found.status === 'reversed') {
      throw participationClosed(found.status);
    }
    return found;
  }

  /**
   * Takes a reward back into the budget, by a transfer of its own. The response still counts.
   *
   * @throws ApiError `campaign_not_found`, `participation_not_found` or `participation_not_submitted`
   */
  async reverse(
    caller: Principal,
    { post_id, participation_id, reason }: ReverseDto,
  ): Promise<CurrentParticipation> {
    const fielded = await this.owners.find(caller, post_id);
    let found = await this.participations.find(fielded, participation_id);
    if (found.status === 'submitted') {
      const actor = actorOf(caller);
      found = await this.participations.take('reverse', fielded, participation_id, reason, actor);
      this.wake(fielded.companyId);
    }
    if (found.status !== 'reversed') {
      throw participationNotSubmitted(found.status);
    }
    return found;
  }

  /** Numbers the new events of a company soon. The caller's own company is not the campaign's. */
  private wake(companyId: string): void {
    this.transaction.afterEnd(() => {
      this.sequencer.wake(companyId);
    });
  }
}

function refuseWrongAnswers(
  { campaign, questions }: PinnedParticipation,
  answers: readonly Answer[],
): void {
  const { format, imageSurvey } = campaign;
  const problems = checkAnswers({ format, questions, imageSurvey }, answers);
  if (problems.length > 0) {
    const details = problems.map(({ at = '', code, message }): ErrorDetail => {
      const field = `answers${at}`;
      return { field, code, message: `${field} ${message}.` };
    });
    throw new ApiError('validation_failed', summarize(details), details);
  }
}
