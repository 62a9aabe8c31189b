import {
  CAMPAIGN_GUARDRAILS_MAXIMUM,
  CONDITIONS_MAXIMUM,
} from '../../campaigns/guardrail/guardrail.types';
import { FiredPlaceDto, GUARDRAIL_NAME } from '../../campaigns/guardrail/guardrail.dto';
import type { CompletingGuardrail } from '../../campaigns/guardrail/known-enough.rules';
import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { QUOTA_NAME_LENGTH } from '../../campaigns/targeting/targeting.types';
import {
  ResponseFlag,
  ResponseId,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { NUMBER_MAXIMUM } from '../../campaigns/questions/answer-value.rules';

/** How well one share or mean is known. */
export class PrecisionDto {
  /** The key or the position of the question. */
  @ResponseText({ maximum: 40 })
  question!: string;

  /** The option whose share it is; `null` for a mean. */
  @ResponseText({ maximum: OPTION_LENGTH })
  option!: string | null;

  /** The row of a matrix; `null` for other questions. */
  @ResponseText({ maximum: OPTION_LENGTH })
  row!: string | null;

  /** Only the responses of this quota are looked at; `null` for all. */
  @ResponseText({ maximum: QUOTA_NAME_LENGTH })
  quota!: string | null;

  /** How wide the interval may be. */
  @ResponseNumber({ minimum: 0, maximum: NUMBER_MAXIMUM })
  width!: number;

  @ResponseNumber({ minimum: 0, maximum: 1 })
  confidence!: number;

  /** How many answers the interval comes from. */
  @ResponseInteger()
  responses!: number;

  /**
   * Contains the share or the mean with this confidence, however often it was looked at: when the
   * campaign was known well enough, or now. A response that is reversed later stays in it.
   */
  @ResponseInterval()
  interval!: [low: number, high: number];
}

/** The response with which everything was known well enough. */
export class KnownAtDto extends FiredPlaceDto {
  /** Whether it completed the campaign; not if something else had stopped it before. */
  @ResponseFlag()
  stopped!: boolean;
}

/** A guardrail that completes the campaign once something is known well enough. */
export class StopWhenDto {
  @ResponseId('grd')
  guardrail_id!: string;

  @ResponseText({ maximum: GUARDRAIL_NAME.maximum })
  name!: string;

  @ResponseList(() => PrecisionDto, { minimum: 1, maximum: CONDITIONS_MAXIMUM })
  known!: PrecisionDto[];

  /** `null` while it is not known well enough. */
  @ResponseObject(() => KnownAtDto, { nullable: true })
  reached!: KnownAtDto | null;

  static from({ guardrailId, name, precisions, reached }: CompletingGuardrail): StopWhenDto {
    return {
      guardrail_id: guardrailId,
      name,
      known: precisions.map(({ condition, measured }) => ({
        question: String(condition.question),
        option: condition.option ?? null,
        row: condition.row ?? null,
        quota: condition.quota ?? null,
        width: condition.value,
        confidence: condition.confidence ?? 0,
        responses: measured.responses,
        interval: measured.interval ?? [0, 1],
      })),
      reached,
    };
  }
}

/** How many guardrails can complete a campaign. */
export const STOP_WHEN_MAXIMUM = CAMPAIGN_GUARDRAILS_MAXIMUM;
