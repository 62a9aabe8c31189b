import { ResponsePostId } from '../campaign/post-id.field';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { printId } from '../../platform/database/identifiers';
import { QuotaDto } from './targeting.dto';
import { screeningNames } from './admission.rules';
import type { CampaignQuotas } from './targeting.service';
import {
  CONDITIONS_MAXIMUM,
  Others,
  OTHERS,
  QUOTAS_MAXIMUM,
  RULE_NAME_LENGTH,
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
  /** The name of the condition; `any` or `other` for the screening or the quotas as a whole. */
  @ResponseText({ maximum: RULE_NAME_LENGTH })
  rule!: string;

  /** How many times it has refused a respondent. */
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
  @ResponseList(() => RefusingRuleDto, { maximum: CONDITIONS_MAXIMUM + 1 })
  screened_out!: RefusingRuleDto[];

  static of(post_id: string, { version, targeting, cells, refused }: CampaignQuotas) {
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
    return {
      post_id,
      targeting_version: version,
      quotas,
      other: targeting.other,
      screened_out: screeningNames(targeting).map((rule) => ({
        rule,
        refused: refusedBy('screened_out', rule),
      })),
    };
  }
}
