import { ResponsePostId } from '../campaign/post-id.field';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { printId } from '../../platform/database/identifiers';
import { QuotaDto } from './targeting.dto';
import { screeningNames } from './admission.rules';
import type { CampaignQuotas } from './targeting.service';
import {
  Others,
  OTHERS,
  PACE,
  PACE_LIMITS,
  QUOTAS_MAXIMUM,
  RULE_NAME_LENGTH,
  SCREENING_RULES_MAXIMUM,
} from './targeting.types';

/** A quota, and how far it is. */
export class QuotaProgressDto extends QuotaDto {
  /** The subject of its events. */
  @ResponseId('quota')
  quota_id!: string;

  /** Places that respondents have: those who are answering, and those who have submitted. */
  @ResponseInteger()
  taken!: number;

  /** Respondents who have submitted, without those whose reward was reversed or who were erased. */
  @ResponseInteger()
  submitted!: number;

  /** Places that are left. */
  @ResponseInteger()
  remaining!: number;

  /** How many times a respondent was refused because it was full. */
  @ResponseInteger({ maximum: Number.MAX_SAFE_INTEGER })
  refused!: number;
}

/** A rule of the screening, and how often it has refused. */
export class RefusingRuleDto {
  /**
   * The name of the condition; `any`, `screening_questions` or `other` for the screening, its questions or
   * the quotas as a whole; `screened_out_before`; or `exclude`, `include` or `at_most`.
   */
  @ResponseText({ maximum: RULE_NAME_LENGTH })
  rule!: string;

  /** How many times it has refused a respondent. */
  @ResponseInteger({ maximum: Number.MAX_SAFE_INTEGER })
  refused!: number;
}

/** How fast respondents may begin. */
export class PaceDto {
  @ResponseInteger(PACE_LIMITS)
  at_most_per_hour!: number;

  /** How many have begun in the last 60 minutes; each counts until the end of a minute. */
  @ResponseInteger()
  begun!: number;

  /** How many times a respondent was refused because of it. */
  @ResponseInteger({ maximum: Number.MAX_SAFE_INTEGER })
  refused!: number;
}

/** How far the quotas of a campaign are, and whom its rules have refused. */
export class CampaignQuotasDto {
  @ResponsePostId()
  post_id!: string;

  /** The version of the rules; `null` if the campaign never had any. */
  @ResponseInteger({ minimum: 1 })
  targeting_version!: number | null;

  /** In the order in which the company described them. */
  @ResponseList(() => QuotaProgressDto, { maximum: QUOTAS_MAXIMUM })
  quotas!: QuotaProgressDto[];

  /** Whether a respondent who matches no quota may begin. */
  @ResponseEnum(OTHERS, 'QuotaOthers')
  other!: Others;

  /** The rules that screen respondents out. */
  @ResponseList(() => RefusingRuleDto, { maximum: SCREENING_RULES_MAXIMUM })
  screened_out!: RefusingRuleDto[];

  /** How fast respondents may begin; `null` without a limit. */
  @ResponseObject(() => PaceDto, { nullable: true })
  pace!: PaceDto | null;

  static of(post_id: string, { version, targeting, cells, refused, begun }: CampaignQuotas) {
    const refusedBy = (reason: string, rule: string) =>
      refused.find((each) => each.reason === reason && each.rule === rule)?.refused ?? 0;
    const quotas: QuotaProgressDto[] = targeting.quotas.flatMap(({ name, when }) =>
      cells
        .filter((cell) => cell.name === name)
        .map(({ quota_id, maximum, taken, submitted }) => ({
          quota_id: printId('quota', quota_id),
          name,
          when,
          limit: maximum,
          taken,
          submitted,
          remaining: maximum - taken,
          refused: refusedBy('quota_full', name),
        })),
    );
    const { at_most_per_hour } = targeting;
    return {
      post_id,
      targeting_version: version,
      quotas,
      other: targeting.other,
      screened_out: screeningNames(targeting).map((rule) => ({
        rule,
        refused: refusedBy('screened_out', rule),
      })),
      pace:
        at_most_per_hour === null
          ? null
          : {
              at_most_per_hour,
              begun,
              refused: refusedBy('pace_reached', PACE),
            },
    };
  }
}
