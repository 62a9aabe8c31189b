import { PostId } from '../campaign/post-id.field';
import { ResponseCurrency } from '../../access/company/currency.field';
import { ResponseMode } from '../../access/company/mode.field';
import { Mode, modeOf } from '../../platform/caller/environment.rules';
import { Principal, readsResponses } from '../../platform/caller/principal';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseSequence,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import {
  ChangeOf,
  CreationOf,
  InRequests,
  ResourceField,
} from '../../platform/openapi/resource-fields';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { NestedObject, ObjectArray } from '../../platform/validation/fields/array.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import type { Presence } from '../../platform/validation/fields/field';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { NUMBER_MAXIMUM } from '../questions/answer-value.rules';
import { ConditionDto } from './condition.dto';
import type { Guardrail } from './guardrail.entity';
import {
  CONDITIONS_MAXIMUM,
  GUARDRAIL_ACTIONS,
  GuardrailAction,
  GUARDRAILS_MAXIMUM,
} from './guardrail.types';
import { METRIC_NAMES, MetricName } from './condition.rules';

/**
 * The guardrail_id in the documentation's examples. On the documentation page it stands for the
 * guardrail that was created there last.
 */
export const EXAMPLE_GUARDRAIL_ID = 'grd_01k9x2v8zdf3xbz0q4v5rk6t7m';

export const GUARDRAIL_NAME = { maximum: 100, example: 'Too many random answers' } as const;

export const EXAMPLE_CONDITIONS = [
  { metric: 'cohort_share', cohorts: [1, 2], last: 200, op: 'gt', value: 0.3, confidence: 0.9999 },
];

/** When a guardrail fires. */
export class WhenDto {
  /** All of these conditions must hold at the same event. */
  @ObjectArray(() => ConditionDto, 1, CONDITIONS_MAXIMUM, { example: EXAMPLE_CONDITIONS })
  all!: ConditionDto[];
}

const When = (options: Presence) => NestedObject(() => WhenDto, options);
const Action = (options: Presence & { example: string }) =>
  OneOf(GUARDRAIL_ACTIONS, 'GuardrailAction', options);

/** The fields that a company writes for a guardrail; requests and responses derive from here. */
export class GuardrailContentDto {
  @ResourceField(Text, {
    ...GUARDRAIL_NAME,
    create: 'Tells this guardrail from the others of its campaign.',
  })
  name!: string;

  /** When it fires, with every default. */
  @ResponseObject(() => WhenDto)
  @InRequests(When, {
    create: 'When it fires.',
    update: 'Changed conditions start from zero; where the guardrail has fired, it stays fired.',
  })
  when!: WhenDto;

  @ResponseEnum(GUARDRAIL_ACTIONS, 'GuardrailAction')
  @InRequests(Action, {
    example: 'stop',
    create:
      '`stop` stops the campaign, `complete` completes it because it is `known_enough`; `notify` only writes the event.',
    update: { example: 'notify' },
  })
  then!: GuardrailAction;
}

/** A guardrail as it is described in a request. */
export class GuardrailFieldsDto extends CreationOf(GuardrailContentDto) {}

export class CreateGuardrailDto extends GuardrailFieldsDto {
  /** The campaign to watch; every campaign of your company by default. */
  @PostId({ optional: true })
  post_id?: string;
}

/** The guardrail that a request is about. */
export class GuardrailPathDto {
  /** The guardrail, by the `guardrail_id` that its creation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_GUARDRAIL_ID })
  guardrail_id!: string;
}

export class DeleteGuardrailDto extends GuardrailPathDto {}

export class ArmGuardrailDto extends GuardrailPathDto {
  /** Only on this campaign; by default on all that the guardrail watches. */
  @PostId({ optional: true })
  post_id?: string;
}

// The guardrail and at least one change.
@RefineSchema((schema) => ({ ...schema, minProperties: 2 }))
export class UpdateGuardrailDto extends ChangeOf(GuardrailContentDto, 'update') {
  /** The guardrail, by the `guardrail_id` that its creation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_GUARDRAIL_ID })
  guardrail_id!: string;
}

/** Which guardrails to list. */
export class GuardrailListQueryDto {
  /** Only the guardrails that watch this campaign, also those of all campaigns. */
  @PostId({ optional: true })
  post_id?: string;
}

/** What a condition was when the guardrail fired, in the order of the conditions. */
export class FiredValueDto {
  @ResponseEnum(METRIC_NAMES, 'GuardrailMetric')
  metric!: MetricName;

  /** In the metric's unit. */
  @ResponseNumber({ minimum: -NUMBER_MAXIMUM, maximum: Number.MAX_SAFE_INTEGER })
  value!: number;

  /** How many responses it was computed from. */
  @ResponseInteger()
  responses!: number;

  /** With the condition's `confidence`; `null` if it is 0, and for metrics that have none. */
  @ResponseInterval({ nullable: true })
  interval!: [low: number, high: number] | null;
}

const ResponseValues = () =>
  ResponseList(() => FiredValueDto, { minimum: 1, maximum: CONDITIONS_MAXIMUM });

/** Where in the log a guardrail fired, without what it measured. */
export class FiredPlaceDto {
  /** The response, or its reversal, after which all conditions held. */
  @ResponseSequence()
  seq!: number;

  /** When that was submitted or reversed. */
  @ResponseTime()
  at!: Date;
}

/** Where in the log a guardrail fired. */
export class FiredAtDto extends FiredPlaceDto {
  @ResponseValues()
  values!: FiredValueDto[];
}

export class FiredDto extends FiredPlaceDto {
  @ResponseId('post')
  post_id!: string;

  /** Left out unless the API key has the scope `responses:read`. */
  @ResponseValues()
  values?: FiredValueDto[];
}

/** A guardrail as it is stored, and where it fired last unless it is armed again. */
export interface FiredGuardrail {
  guardrail: Guardrail;
  fired: FiredDto | null;
}

/** A guardrail of your company. */
export class GuardrailDto extends GuardrailContentDto {
  @ResponseId('grd')
  guardrail_id!: string;

  /** Whether it watches live or test campaigns. */
  @ResponseMode()
  mode!: Mode;

  /** The campaign that it watches; `null` for all of them. */
  @ResponseId('post')
  post_id!: string | null;

  /** The currency of your company: that of `spent` and `cost_per_response`. */
  @ResponseCurrency()
  currency!: string;

  /** It watches what happened after the event with this number; 0 for everything. */
  @ResponseInteger({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
  since_seq!: number;

  /** Where it fired last and is not armed again; `null` if it is armed everywhere. */
  @ResponseObject(() => FiredDto, { nullable: true })
  fired!: FiredDto | null;

  @ResponseTime()
  created_at!: Date;

  @ResponseTime()
  updated_at!: Date;

  static from({ guardrail, fired }: FiredGuardrail, currency: string): GuardrailDto {
    return {
      guardrail_id: guardrail.guardrailId,
      mode: modeOf(guardrail.companyId),
      post_id: guardrail.postId,
      name: guardrail.name,
      currency,
      when: { all: guardrail.conditions },
      then: guardrail.action,
      since_seq: Number(guardrail.sinceSeq),
      fired,
      created_at: guardrail.createdAt,
      updated_at: guardrail.updatedAt,
    };
  }

  /** Leaves out what a caller without the scope that guards responses must not see of them. */
  static shownTo(caller: Principal, guardrail: GuardrailDto): GuardrailDto {
    if (guardrail.fired === null || readsResponses(caller)) {
      return guardrail;
    }
    const { values: _, ...fired } = guardrail.fired;
    return { ...guardrail, fired };
  }
}

export class GuardrailListDto {
  /** Oldest first. */
  @ResponseList(() => GuardrailDto, { maximum: GUARDRAILS_MAXIMUM })
  items!: GuardrailDto[];
}
