import { Injectable } from '@nestjs/common';
import { printId, storedId, StoredId } from '../../platform/database/identifiers';
import type { ErrorDetail } from '../../platform/protocol/api-error';
import { actorOf, Principal } from '../../platform/caller/principal';
import { GuardrailWatcher } from '../../campaigns/guardrail/guardrail-watcher.service';
import { Beginning } from './beginning.service';
import { CampaignOwners } from './campaign-owners.service';
import { present, PresentedSet } from '../../campaigns/questions/presented.rules';
import { notSupported } from './fielding.errors';
import { FieldingKeys } from './fielding-keys.service';
import { BeginDto, ParticipationDto, ReverseDto, SubmitDto } from './fielding.dto';
import { findWrongAnswers, ParticipationSteps } from './participation-steps.service';
import {
  CurrentParticipation,
  ParticipationsService,
  PinnedParticipation,
} from './participations.service';

/** A respondent's way through a campaign that a caller names. */
@Injectable()
export class FieldingService {
  constructor(
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
    private readonly beginning: Beginning,
    private readonly steps: ParticipationSteps,
    private readonly keys: FieldingKeys,
    private readonly guardrails: GuardrailWatcher,
  ) {}

  /** Returns whose campaign a post_id may name; `undefined` if there is no such campaign. */
  companyOf(caller: Principal, postId: string): Promise<StoredId | undefined> {
    return this.owners.companyOf(caller, postId);
  }

  /**
   * Lets the guardrails of a campaign's company read the latest responses, so that nobody begins a
   * campaign that one of them is about to stop. Call it outside of a transaction.
   *
   * @throws ApiError `service_unavailable` if they cannot read them in time
   */
  async settleGuardrails(caller: Principal, postId: string): Promise<void> {
    const companyId = await this.companyOf(caller, postId);
    if (companyId !== undefined) {
      await this.guardrails.settle(companyId);
    }
  }

  /**
   * Takes a place for a respondent, who keeps the questions and rewards as they are now. A
   * respondent who has begun this campaign before gets the same participation again.
   *
   * @returns the participation_id
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `campaign_not_live`,
   *   `campaign_completed`, `fully_held`, `screened_out`, `quota_full`, or `not_supported` for
   *   questions of other types than the caller can show
   */
  async begin(
    caller: Principal,
    { post_id, respondent_id, attributes, supports }: BeginDto,
  ): Promise<string> {
    const fielded = await this.owners.find(caller, post_id);
    const id = await this.beginning.begin(fielded, respondent_id, attributes);
    if (supports !== undefined) {
      // The place is given back with the transaction.
      const types = await this.participations.typesOf(fielded, id);
      const missing = types.filter((type) => !supports.includes(type));
      if (missing.length > 0) {
        throw notSupported(missing);
      }
    }
    return printId('part', id);
  }

  /**
   * Returns a participation with what was promised and what to show.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `participation_not_found`
   */
  async read(caller: Principal, postId: string, id: string): Promise<PinnedParticipation> {
    const fielded = await this.owners.find(caller, postId);
    return this.participations.findPinned(fielded, storedId('part', id));
  }

  /**
   * Returns a participation with what was promised, and its questions as the respondent sees them.
   *
   * @param language the one that the respondent reads, in its canonical form
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `participation_not_found`
   */
  async show(
    caller: Principal,
    postId: string,
    id: string,
    language: string | undefined,
  ): Promise<{ pinned: PinnedParticipation; presented: PresentedSet }> {
    const fielded = await this.owners.find(caller, postId);
    const pinned = await this.participations.findShown(fielded, storedId('part', id));
    const presented = present({ ...pinned, questions: pinned.questions ?? [] }, language, (name) =>
      this.keys.orderSeed(pinned.participation.participationId, name),
    );
    return { pinned, presented };
  }

  /**
   * Pays the reward of the cohort that the attention score belongs to (section 2.3). The same
   * submission again returns the same result.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `participation_not_found`,
   *   `validation_failed` for answers that do not fit the questions, or `participation_closed`
   */
  async submit(caller: Principal, submission: SubmitDto): Promise<PinnedParticipation> {
    const fielded = await this.owners.find(caller, submission.post_id);
    const found = await this.participations.findPinned(
      fielded,
      storedId('part', submission.participation_id),
    );
    return this.steps.submit(fielded, found, submission, actorOf(caller));
  }

  /**
   * Returns what is wrong with the answers of a submission that is invalid in itself, besides the
   * answers at the positions in `invalid`: nothing, unless the participation is open.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `participation_not_found`
   */
  async findWrong(
    caller: Principal,
    { post_id, participation_id, answers }: SubmitDto,
    invalid: ReadonlySet<number>,
  ): Promise<ErrorDetail[]> {
    const found = await this.read(caller, post_id, participation_id);
    return found.status === 'open' ? findWrongAnswers(found, answers, invalid) : [];
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
    const found = await this.participations.find(fielded, storedId('part', participation_id));
    return this.steps.abandon(fielded, found);
  }

  /**
   * Takes a reward back into the budget, by a transfer of its own. The response still counts.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `participation_not_found` or
   *   `participation_not_submitted`
   */
  async reverse(
    caller: Principal,
    { post_id, participation_id, reason }: ReverseDto,
  ): Promise<CurrentParticipation> {
    const fielded = await this.owners.find(caller, post_id);
    const found = await this.participations.find(fielded, storedId('part', participation_id));
    return this.steps.reverse(fielded, found, reason, actorOf(caller));
  }
}
