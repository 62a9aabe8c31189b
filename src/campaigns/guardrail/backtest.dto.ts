import {
  CAMPAIGN_STATUSES,
  CampaignStatus,
  STOP_REASONS,
  StopReason,
} from '../campaign/campaign.types';
import { COST } from '../campaign/campaign-progress.dto';
import { EXAMPLE_POST_ID, PostId } from '../campaign/post-id.field';
import { ResponseCurrency } from '../../access/company/currency.field';
import {
  NextCursor,
  ResponseEnum,
  ResponseFlag,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import { oneOfVariants, RefineSchema } from '../../platform/openapi/schema-refinements';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { WholeNumber } from '../../platform/validation/fields/number.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import {
  CURSOR_MAX_LENGTH,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAXIMUM,
} from '../../platform/validation/page-query.dto';
import { EXAMPLE_CONDITIONS, EXAMPLE_GUARDRAIL_ID, FiredAtDto, WhenDto } from './guardrail.dto';

/** A backtest of conditions on one campaign. */
export const BACKTEST_EXAMPLES = {
  'conditions on one campaign': {
    value: { when: { all: EXAMPLE_CONDITIONS }, post_id: EXAMPLE_POST_ID },
  },
};

@RefineSchema(
  oneOfVariants({
    BacktestOfConditions: { description: 'Try conditions.', fields: ['when'] },
    BacktestOfGuardrail: { description: 'Try a stored guardrail.', fields: ['guardrail_id'] },
  }),
)
export class BacktestGuardrailDto {
  /** A stored guardrail, whose conditions are tried. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_GUARDRAIL_ID, optional: true })
  guardrail_id?: string;

  /** The conditions of a guardrail that need not exist. */
  @NestedObject(() => WhenDto, { optional: true })
  when?: WhenDto;

  /**
   * The campaign to try it on. By default the one that the guardrail watches, or else every campaign of
   * your company, newest first.
   */
  @PostId({ optional: true })
  post_id?: string;

  /** Only what came after the event with this `seq`, as if the guardrail had been created there. */
  @WholeNumber({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, optional: true, example: 0 })
  after_seq?: number;

  /** The most campaigns to return; 20 by default. */
  @WholeNumber({
    minimum: 1,
    maximum: PAGE_LIMIT_MAXIMUM,
    optional: true,
    example: PAGE_LIMIT_DEFAULT,
  })
  limit?: number;

  /** The `next_cursor` of the previous page. Send the same rule and filters with it. */
  @Text({ maximum: CURSOR_MAX_LENGTH, optional: true })
  cursor?: string;
}

/** What a guardrail would have done to one campaign. */
export class BacktestedCampaignDto {
  @ResponseId('post')
  post_id!: string;

  @ResponseEnum(CAMPAIGN_STATUSES, 'CampaignStatus')
  status!: CampaignStatus;

  @ResponseEnum(STOP_REASONS, 'StopReason', { nullable: true })
  stop_reason!: StopReason | null;

  /** Whether it is completed or archived, and no guardrail stopped it. */
  @ResponseFlag()
  finished!: boolean;

  /** The currency of `spent_after`, and of the values of `spent` and `cost_per_response`. */
  @ResponseCurrency()
  currency!: string;

  /** Responses that were read. */
  @ResponseInteger()
  responses!: number;

  /** Where the guardrail would have fired; `null` if nowhere. */
  @ResponseObject(() => FiredAtDto, { nullable: true })
  fired!: FiredAtDto | null;

  /** Responses that came after it. */
  @ResponseInteger()
  responses_after!: number;

  /** What these were paid, including what was taken back later. */
  @ResponseMoney(COST)
  spent_after!: number;
}

export class BacktestDto {
  /** Newest campaign first. */
  @ResponseList(() => BacktestedCampaignDto, { maximum: PAGE_LIMIT_MAXIMUM })
  items!: BacktestedCampaignDto[];

  /** The `seq` of the first event that counts: later than asked for if earlier ones are archived. */
  @ResponseInteger({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  from_seq!: number;

  /** The `seq` of the last event that counts: of the log when this page was read. */
  @ResponseInteger({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
  to_seq!: number;

  /** On how many campaigns of this page it would have fired. */
  @ResponseInteger()
  fired!: number;

  /** How many campaigns of this page are finished. */
  @ResponseInteger()
  finished!: number;

  /** On how many of those it would have fired. */
  @ResponseInteger()
  fired_on_finished!: number;

  /** Send it as `cursor`, with the same rule and filters, for the next page; `null` on the last page. */
  @NextCursor()
  next_cursor!: string | null;
}
