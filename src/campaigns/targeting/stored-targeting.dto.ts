import { ResponsePostId } from '../campaign/post-id.field';
import {
  ResponseEnum,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { QuestionDto } from '../questions/question.dto';
import { AtMostDto, ExcludeDto, IncludeDto } from './audience.dto';
import { QualifyDto } from './screening-questions.dto';
import { AttributeDto, QuotaDto, ScreeningDto } from './targeting.dto';
import { reviewRanges, TARGETING_WARNING_CODES, TargetingWarning } from './targeting.rules';
import {
  ATTRIBUTES_MAXIMUM,
  Others,
  OTHERS,
  PACE_LIMITS,
  QUOTAS_MAXIMUM,
  SCREEN_OUTS,
  SCREENING_QUESTIONS_MAXIMUM,
  Targeting,
} from './targeting.types';

/** The most warnings that one response has. */
const WARNINGS_MAXIMUM = 100;

/** Numbers that a company may not have meant; the rules are stored nevertheless. */
export class TargetingWarningDto {
  @ResponseEnum(TARGETING_WARNING_CODES, 'TargetingWarningCode')
  code!: TargetingWarning['code'];

  /** The path of the range that it is about. */
  @ResponseText({ maximum: 200 })
  field!: string;

  /** For people. */
  @ResponseText({ maximum: 500 })
  message!: string;
}

/** The rules of a campaign, as stored. */
export class StoredTargetingDto {
  @ResponsePostId()
  post_id!: string;

  /** Incremented by each change; `null` if the campaign never had rules. */
  @ResponseInteger({ minimum: 1 })
  targeting_version!: number | null;

  @ResponseList(() => AttributeDto, { maximum: ATTRIBUTES_MAXIMUM })
  attributes!: AttributeDto[];

  /** Who may begin; `null` for everybody. */
  @ResponseObject(() => ScreeningDto, { nullable: true })
  screening!: ScreeningDto | null;

  /** What a respondent answers in `begin`; empty if nothing. */
  @ResponseList(() => QuestionDto, { maximum: SCREENING_QUESTIONS_MAXIMUM })
  screening_questions!: QuestionDto[];

  /** Whose answers qualify; `null` without questions. */
  @ResponseObject(() => QualifyDto, { nullable: true })
  qualify!: QualifyDto | null;

  /** What a respondent is paid whose answers do not qualify; `null` for nothing. */
  @ResponseMoney()
  screen_out_reward!: number | null;

  /** How many are paid that; `null` without a limit of its own. */
  @ResponseInteger(SCREEN_OUTS)
  maximum_screen_outs!: number | null;

  @ResponseList(() => QuotaDto, { maximum: QUOTAS_MAXIMUM })
  quotas!: QuotaDto[];

  /** Whether a respondent who matches no quota may begin. */
  @ResponseEnum(OTHERS, 'QuotaOthers')
  other!: Others;

  /** `null` if nobody is excluded. */
  @ResponseObject(() => ExcludeDto, { nullable: true })
  exclude!: ExcludeDto | null;

  /** `null` if it does not matter. */
  @ResponseObject(() => IncludeDto, { nullable: true })
  include!: IncludeDto | null;

  /** `null` if it does not matter. */
  @ResponseObject(() => AtMostDto, { nullable: true })
  at_most!: AtMostDto | null;

  /** How many may begin in any 60 minutes; `null` without a limit. */
  @ResponseInteger(PACE_LIMITS)
  at_most_per_hour!: number | null;

  /** Ranges that overlap, or leave a gap. */
  @ResponseList(() => TargetingWarningDto, { maximum: WARNINGS_MAXIMUM })
  warnings!: TargetingWarningDto[];

  static of(post_id: string, version: number | null, targeting: Targeting): StoredTargetingDto {
    return {
      post_id,
      targeting_version: version,
      ...targeting,
      screening_questions: targeting.screening_questions as QuestionDto[],
      screen_out_reward:
        targeting.screen_out_reward === null ? null : Number(targeting.screen_out_reward),
      warnings: reviewRanges(targeting).slice(0, WARNINGS_MAXIMUM),
    };
  }
}
