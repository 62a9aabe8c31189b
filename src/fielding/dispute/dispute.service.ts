import { Injectable } from '@nestjs/common';
import { actorOf, Principal } from '../../platform/caller/principal';
import { storedId, StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import { CampaignOwners } from '../participations/campaign-owners.service';
import { participationUnknown } from '../participations/fielding.errors';
import { countParticipations, Outcome } from '../participations/fielding.registry';
import { ParticipationsService } from '../participations/participations.service';
import type { DecideDisputeDto, OpenDisputeDto } from './dispute.dto';
import { DISPUTE_REFUSALS, disputeClosed, disputeNotFound } from './dispute.errors';
import { disputeColumns } from './dispute-list.service';
import { Dispute, hasLapsed } from './dispute.types';

const OPEN = `
  SELECT refusal, state AS "participationState", post AS "postId", ${disputeColumns('(disputed)')}
  FROM open_dispute($1, $2, $3, $4)`;

const DECIDE = `
  SELECT became, ${disputeColumns('(disputed)')} FROM decide_dispute($1, $2, $3, $4, $5, $6)`;

type OpenedRow = Dispute & {
  refusal: 'unknown' | keyof typeof DISPUTE_REFUSALS | null;
  participationState: string | null;
};

type DecidedRow = Omit<Dispute, 'postId' | 'state'> & {
  state: Dispute['state'] | null;
  became: Outcome | null;
};

/** Opens and decides disputes. */
@Injectable()
export class DisputeService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
    private readonly sequencer: SequencerService,
  ) {}

  /**
   * Disputes a response of a company. To dispute it again for the same reason changes nothing.
   *
   * @throws ApiError `participation_not_found` or an error of {@link DISPUTE_REFUSALS}
   */
  async open(caller: Principal, { participation_id, reason }: OpenDisputeDto): Promise<Dispute> {
    const { callerId: companyId } = caller;
    const [row] = await this.transaction.manager.query<[OpenedRow]>(OPEN, [
      companyId,
      storedId('part', participation_id),
      reason,
      actorOf(caller),
    ]);
    if (row.refusal !== null) {
      throw row.refusal === 'unknown'
        ? participationUnknown()
        : DISPUTE_REFUSALS[row.refusal](row.participationState);
    }
    this.wake(companyId);
    return row;
  }

  /**
   * Decides a dispute about a respondent of the caller. To decide it again in the same way, with
   * the same note, changes nothing.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `participation_not_found`,
   *   `dispute_not_found` or `dispute_closed`
   */
  async decide(caller: Principal, request: DecideDisputeDto): Promise<Dispute> {
    const { post_id, participation_id, is_accepted, note } = request;
    const fielded = await this.owners.find(caller, post_id);
    const { companyId, campaignId } = fielded;
    const id = storedId('part', participation_id);
    const { participation } = await this.participations.find(fielded, id);
    const [row] = await this.transaction.manager.query<[DecidedRow]>(DECIDE, [
      companyId,
      campaignId,
      participation.participationId,
      is_accepted,
      note ?? null,
      actorOf(caller),
    ]);
    const { became, state } = row;
    if (state === null) {
      throw disputeNotFound();
    }
    this.wake(companyId);
    if (became !== null) {
      this.transaction.afterSuccess(() => {
        countParticipations(became, companyId);
      });
    }
    const isSame = (state === 'accepted') === is_accepted && row.note === (note ?? null);
    if (hasLapsed(row) || !isSame) {
      throw disputeClosed(state);
    }
    return { ...row, state, postId: post_id };
  }

  /** Numbers the new events of a company soon. */
  private wake(companyId: StoredId): void {
    this.transaction.afterEnd(() => {
      this.sequencer.wake(companyId);
    });
  }
}
