import { CAMPAIGN_STATUSES, CampaignStatus } from '../../campaigns/campaign/campaign.types';
import { PostId, ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { ResponseCurrency } from '../../access/company/currency.field';
import { RefusingRuleDto } from '../../campaigns/targeting/quotas.dto';
import {
  QUOTAS_MAXIMUM,
  REFUSAL_REASONS,
  RefusalReason,
  SCREENING_RULES_MAXIMUM,
} from '../../campaigns/targeting/targeting.types';
import { Attention, AttentionDto } from '../forecast/attention.dto';
import { AttributeSharesDto, Population } from '../forecast/population.dto';
import { SEED } from '../../platform/statistics/random.rules';
import {
  ResponseEnum,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
} from '../../platform/openapi/response-fields';
import {
  Decimal,
  MONEY_MAXIMUM,
  WholeNumber,
} from '../../platform/validation/fields/number.fields';

const RESPONDENTS = { minimum: 1, maximum: 1_000 } as const;

/** Why the service refuses a step of a respondent. */
export const REFUSALS = [
  'campaign_not_live',
  'campaign_completed',
  'fully_held',
  'balance_low',
  'screened_out',
  'quota_full',
  'pace_reached',
  'participation_closed',
] as const;

export type Refusal = (typeof REFUSALS)[number];

export class SimulateCampaignDto {
  /** A test campaign: one that was created with a test key. */
  @PostId()
  post_id!: string;

  /** How many respondents begin. */
  @WholeNumber({ ...RESPONDENTS, example: 20 })
  respondents!: number;

  /** Decides who the respondents are and what they do. The same seed has the same respondents. */
  @WholeNumber({ ...SEED, example: 4711 })
  seed!: number;

  /** How attentive respondents are. By default the mix that a forecast assumes without responses. */
  @Attention()
  attention?: AttentionDto;

  /** The part of the respondents that abandons; 0.2 by default. */
  @Decimal({ minimum: 0, maximum: 1, places: 4, optional: true, example: 0.1 })
  abandon_rate?: number;

  /**
   * What the respondents are, for a campaign with targeting. By default, all values of a `select` are
   * equally likely, and so are all numbers from 10 below to 10 above those that the rules name.
   */
  @Population()
  attributes?: AttributeSharesDto[];
}

export class SimulationRefusalDto {
  @ResponseEnum(REFUSALS, 'SimulationRefusalCode')
  code!: Refusal;

  /** How many respondents got this refusal. */
  @ResponseInteger({ minimum: 1, maximum: RESPONDENTS.maximum })
  count!: number;
}

/** A rule of whom the campaign asks, and how many respondents it refused. */
export class SimulationRuleDto extends RefusingRuleDto {
  @ResponseEnum(REFUSAL_REASONS, 'RefusalReason')
  code!: RefusalReason;
}

/** What became of the respondents of a seed, in this call and in earlier ones. */
export class SimulationDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseInteger(SEED)
  seed!: number;

  /** How many came. */
  @ResponseInteger(RESPONDENTS)
  respondents!: number;

  /** How many began. */
  @ResponseInteger({ maximum: RESPONDENTS.maximum })
  begun!: number;

  @ResponseInteger({ maximum: RESPONDENTS.maximum })
  submitted!: number;

  @ResponseInteger({ maximum: RESPONDENTS.maximum })
  abandoned!: number;

  /** What the service refused, and how often. */
  @ResponseList(() => SimulationRefusalDto, { maximum: REFUSALS.length })
  refused!: SimulationRefusalDto[];

  /** Which rules screened respondents out, and which quotas were full. */
  @ResponseList(() => SimulationRuleDto, {
    maximum: SCREENING_RULES_MAXIMUM + QUOTAS_MAXIMUM,
  })
  refused_by!: SimulationRuleDto[];

  /** The currency of `spent`. */
  @ResponseCurrency()
  currency!: string;

  /** What these respondents earned. */
  @ResponseMoney({ maximum: MONEY_MAXIMUM * RESPONDENTS.maximum })
  spent!: number;

  /** Where the campaign is in its life afterwards. */
  @ResponseEnum(CAMPAIGN_STATUSES, 'CampaignStatus')
  status!: CampaignStatus;
}
