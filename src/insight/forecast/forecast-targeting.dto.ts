import { OmitType, PickType } from '@nestjs/swagger';
import { COST } from '../../campaigns/campaign/campaign-progress.dto';
import { MAX_RESPONSES } from '../../campaigns/campaign/campaign.fields';
import { QuotaProgressDto, RefusingRuleDto } from '../../campaigns/targeting/quotas.dto';
import { QUOTAS_MAXIMUM, SCREENING_RULES_MAXIMUM } from '../../campaigns/targeting/targeting.types';
import {
  ResponseList,
  ResponseMoney,
  ResponseNumber,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import { ForecastCountsDto } from './forecast-figures.dto';
import { minorUnitsOf } from './amount.rules';
import type { Subject } from './subject.types';
import type { TargetingSummary } from './targeting-summary.rules';

const MEAN = { minimum: 0, maximum: MAX_RESPONSES.maximum } as const;
const PART = { minimum: 0, maximum: 1 } as const;

/** Numbers of people over the runs in which a quota is filled. */
export class ForecastPercentilesDto extends OmitType(ForecastCountsDto, ['mean']) {}

/** A rule of the screening. */
export class ForecastRuleDto extends PickType(RefusingRuleDto, ['rule']) {
  /** How many it screens out, on average over the runs. */
  @ResponseNumber(MEAN)
  refused!: number;
}

/** What becomes of a quota. */
export class ForecastQuotaDto extends PickType(QuotaProgressDto, ['name', 'limit']) {
  /** How many submit in it, with those who have already; on average over the runs. */
  @ResponseNumber(MEAN)
  submitted!: number;

  /** How many it turns away because it is full, on average. */
  @ResponseNumber(MEAN)
  turned_away!: number;

  /** The part of the runs in which the quota is filled. */
  @ResponseNumber(PART)
  filled!: number;

  /** How many have come when the quota is filled; `null` if it never is, or was before. */
  @ResponseObject(() => ForecastPercentilesDto, { nullable: true })
  filled_after!: ForecastPercentilesDto | null;

  /** The part of the runs that it ends: it is the last one to be filled, and then nobody can begin. */
  @ResponseNumber(PART)
  ends_campaign!: number;
}

/** What screening and quotas do to those who come. */
export class ForecastTargetingDto {
  /** How many come, also those who are refused. */
  @ResponseObject(() => ForecastCountsDto)
  came!: ForecastCountsDto;

  /** The rules that can screen respondents out. */
  @ResponseList(() => ForecastRuleDto, { maximum: SCREENING_RULES_MAXIMUM })
  screened_out!: ForecastRuleDto[];

  /** How many are paid because their answers to the screening questions do not qualify, on average. */
  @ResponseNumber(MEAN)
  screen_outs!: number;

  /** What they are paid, on average; it is part of `cost`. */
  @ResponseMoney(COST)
  screen_out_cost!: number;

  /** In the order in which the company described them. */
  @ResponseList(() => ForecastQuotaDto, { maximum: QUOTAS_MAXIMUM })
  quotas!: ForecastQuotaDto[];

  static of(
    summary: TargetingSummary | null,
    { quotas: rules, campaign }: Pick<Subject, 'quotas' | 'campaign'>,
  ): ForecastTargetingDto | null {
    if (summary === null || rules === null) {
      return null;
    }
    return {
      came: summary.came,
      screened_out: summary.screenedOut,
      screen_outs: summary.screenOuts,
      screen_out_cost: summary.screenOutCost / minorUnitsOf(campaign),
      quotas: rules.targeting.quotas.flatMap(({ name, limit }, place) => {
        const before = rules.cells.find((cell) => cell.name === name)?.submitted ?? 0;
        return summary.quotas.slice(place, place + 1).map((quota) => ({
          name,
          limit,
          submitted: before + quota.submitted,
          turned_away: quota.turnedAway,
          filled: before >= limit ? 1 : quota.filled,
          filled_after: quota.filledAfter,
          ends_campaign: quota.ends,
        }));
      }),
    };
  }
}
