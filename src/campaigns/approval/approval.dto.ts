import { ApiProperty } from '@nestjs/swagger';
import { COMMITTED } from '../../access/api-key/spending-limit.dto';
import { ResponseCurrency } from '../../access/company/currency.field';
import { MODES, Mode } from '../../platform/caller/environment.rules';
import { printId } from '../../platform/database/identifiers';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseMoney,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { APPROVAL_STATES, Approval, ApprovalState, ApprovalWithRequest } from './approval.types';

/**
 * The approval_id in the documentation's examples. On the documentation page it stands for the
 * approval that was requested there last.
 */
export const EXAMPLE_APPROVAL_ID = 'apr_01k9x2v8zdf3xbz0q4v5rk6t7m';

const REASON = { maximum: 500, example: 'The budget of this month is spent' } as const;

/** The approval in a path, and which one to approve. */
export class ApproveDto {
  /** The approval, by the `approval_id` that the refused request was told. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_APPROVAL_ID })
  approval_id!: string;
}

/** The approval in a path. */
export class ApprovalPathDto extends ApproveDto {}

export class RefuseApprovalDto extends ApproveDto {
  /** Why. Whoever sends the same request again is told, and the log keeps it: name no person. */
  @Text({ ...REASON, optional: true })
  reason?: string;
}

/** Which approvals to list. */
export class ApprovalListQueryDto extends PageQueryDto {
  /** Only approvals in this state. */
  @OneOf(APPROVAL_STATES, 'ApprovalState', { optional: true })
  state?: ApprovalState;

  /** Those of live keys, by default, or of test keys. */
  @OneOf(MODES, 'Mode', { optional: true })
  mode?: Mode;
}

/** A request of an API key that commits more than the key may without its account. */
export class ApprovalDto {
  @ResponseId('apr')
  approval_id!: string;

  /**
   * Whether it waits, was carried out, was refused, was not approved in time, or cannot be carried out
   * any more because its campaign has changed.
   */
  @ResponseEnum(APPROVAL_STATES, 'ApprovalState')
  state!: ApprovalState;

  /** The key that sent the request. */
  @ResponseId('key')
  key_id!: string;

  /** What the key asked for, by the `operationId` of this document. */
  @ResponseText({ maximum: 100 })
  operation!: string;

  /** The campaign that it changes, or has created; `null` for one that it would create. */
  @ResponseId('post')
  post_id!: string | null;

  /** The version of the campaign that it changes; `null` if it creates one. */
  @ResponseInteger({ minimum: 1 })
  campaign_version!: number | null;

  /** The currency of the amounts. */
  @ResponseCurrency()
  currency!: string;

  /** The most that the campaign can cost then, with what is paid; `null` if nothing limits it. */
  @ResponseMoney(COMMITTED)
  commits!: number | null;

  /** By how much that is more than before; `null` if nothing limits it, or has limited it before. */
  @ResponseMoney(COMMITTED)
  adds!: number | null;

  /** Why it was refused; `null` if it was not, or without a reason. */
  @ResponseText(REASON)
  reason!: string | null;

  @ResponseTime()
  requested_at!: Date;

  /** Until when it can be approved: 72 hours. */
  @ResponseTime()
  expires_at!: Date;

  /** When it was decided or expired; `null` while it waits. */
  @ResponseTime()
  decided_at!: Date | null;

  static from(approval: Approval): ApprovalDto {
    const { approvalId, keyId, postId, version, commits, adds } = approval;
    return {
      approval_id: printId('apr', approvalId),
      state: approval.state,
      key_id: printId('key', keyId),
      operation: approval.operation,
      post_id: postId,
      campaign_version: version,
      currency: approval.currency,
      commits: commits === null ? null : Number(commits),
      adds: adds === null ? null : Number(adds),
      reason: approval.reason,
      requested_at: approval.requestedAt,
      expires_at: approval.expiresAt,
      decided_at: approval.decidedAt,
    };
  }
}

export class ApprovalPageDto extends PageOf(() => ApprovalDto, { again: SAME_FILTERS }) {}

/** An approval, with the request that it is for. */
export class RequestedApprovalDto extends ApprovalDto {
  /** The body of the request, as it was sent. Exactly this is carried out. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  request!: object;

  static override from(approval: ApprovalWithRequest): RequestedApprovalDto {
    return {
      ...ApprovalDto.from(approval),
      request: JSON.parse(approval.body) as object,
    };
  }
}
