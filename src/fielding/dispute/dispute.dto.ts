import { PostId, ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { printId } from '../../platform/database/identifiers';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseId,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { DtoRule } from '../../platform/validation/dto-rules';
import { problem } from '../../platform/validation/fields/field';
import { Flag, OneOf } from '../../platform/validation/fields/choice.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { ParticipationId, REASON } from '../participations/fielding.fields';
import { DISPUTE_STATES, Dispute, DisputeState, hasLapsed } from './dispute.types';

const NOTE = { maximum: 500, example: 'The answers are consistent' } as const;

export class OpenDisputeDto {
  /** The response, by the `participation_id` that the list of responses has. */
  @ParticipationId()
  participation_id!: string;

  /**
   * Why the reward should be taken back. The platform sees it, and it becomes the reason of the reversal.
   * It is not erased: name no person.
   */
  @Text(REASON)
  reason!: string;
}

/** What the platform says to a dispute. */
@DtoRule(({ is_accepted, note }: DecideDisputeDto) =>
  is_accepted && note !== undefined ? problem('not_allowed', 'is only for declining', 'note') : [],
)
export class DecideDisputeDto {
  /** The campaign. */
  @PostId()
  post_id!: string;

  /** The participation whose dispute it is. */
  @ParticipationId()
  participation_id!: string;

  /** `true` reverses the participation; `false` leaves the respondent the reward. */
  @Flag({ example: false })
  is_accepted!: boolean;

  /** Why you decline. The company sees it, and it is not erased: name no person. */
  @Text({ ...NOTE, optional: true })
  note?: string;
}

/** Which disputes to list. */
export class DisputeListQueryDto extends PageQueryDto {
  /** Only disputes in this state. */
  @OneOf(DISPUTE_STATES, 'DisputeState', { optional: true })
  state?: DisputeState;
}

/** A dispute about a response. */
export class DisputeDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseId('part')
  participation_id!: string;

  /** Whether it waits for the platform, or what became of it. */
  @ResponseEnum(DISPUTE_STATES, 'DisputeState')
  state!: DisputeState;

  @ResponseText(REASON)
  reason!: string;

  /** Why the platform has declined it; `null` if it does not say. */
  @ResponseText(NOTE)
  note!: string | null;

  @ResponseTime()
  opened_at!: Date;

  /** When it is declined by itself, 14 days after it was opened. */
  @ResponseTime()
  lapses_at!: Date;

  /** When it was decided, or declined by itself; `null` while it is open. */
  @ResponseTime()
  decided_at!: Date | null;

  /** Whether it was declined by itself, because the platform had not decided it. */
  @ResponseFlag()
  has_lapsed!: boolean;

  static from(dispute: Dispute): DisputeDto {
    const { postId, participationId, reason, note, openedAt, lapsesAt, over } = dispute;
    const state = over ? 'declined' : dispute.state;
    // A lapse is exact, however late it was stored.
    const decidedAt = over ? lapsesAt : dispute.decidedAt;
    return {
      post_id: postId,
      participation_id: printId('part', participationId),
      state,
      reason,
      note,
      opened_at: openedAt,
      lapses_at: lapsesAt,
      decided_at: decidedAt,
      has_lapsed: state === 'declined' && hasLapsed({ decidedAt, lapsesAt }),
    };
  }
}

export class DisputePageDto extends PageOf(() => DisputeDto, { again: SAME_FILTERS }) {}
