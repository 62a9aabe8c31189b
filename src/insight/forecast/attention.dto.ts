import { CohortSharesDto, toShares } from '../../campaigns/cohort-rewards/preview.dto';
import { checkShares } from '../../campaigns/cohort-rewards/preview.rules';
import { oneOfVariants, RefineSchema } from '../../platform/openapi/schema-refinements';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Field, Problem, problem } from '../../platform/validation/fields/field';
import { Decimal } from '../../platform/validation/fields/number.fields';
import { isBeta, Shares, sharesOfBeta } from './attention.rules';

const MEAN = { minimum: 0.01, maximum: 9.99, places: 2, example: 6.5 } as const;
const SPREAD = { minimum: 0.1, maximum: 4.99, places: 2, example: 2 } as const;

const GIVEN = {
  AttentionShares: {
    description: 'How attentive respondents are, by the share of each cohort.',
    fields: ['shares'],
  },
  AttentionScores: {
    description: 'How attentive respondents are, by a beta distribution of the scores on 0 to 10.',
    fields: ['mean', 'spread'],
  },
} as const;

const FOUND = {
  AttentionHistory: {
    description: "How attentive respondents are, by the company's own past responses.",
    fields: ['history'],
  },
} as const;

/** How attentive respondents are: either `shares`, or `mean` and `spread`. */
@RefineSchema(oneOfVariants(GIVEN))
export class AttentionDto {
  /** The share of the responses in each cohort. */
  @NestedObject(() => CohortSharesDto, {
    optional: true,
    rule: (shares) => checkShares(toShares(shares)),
  })
  shares?: CohortSharesDto;

  /** The mean of the attention scores. */
  @Decimal({ ...MEAN, optional: true })
  mean?: number;

  /** The standard deviation of the attention scores; with this mean, some are impossible. */
  @Decimal({ ...SPREAD, optional: true })
  spread?: number;
}

/** How attentive respondents are: either `shares`, or `mean` and `spread`, or `history`. */
@RefineSchema(oneOfVariants({ ...GIVEN, ...FOUND }))
export class AttentionOrHistoryDto extends AttentionDto {
  /** Always `true`: the mix of the company's own past responses. */
  @Field(
    (value) => (value === true ? [] : problem('not_allowed', 'must be true')),
    { type: 'boolean', enum: [true], example: true },
    { optional: true },
  )
  history?: true;
}

/** An optional field of a request. */
export function Attention(): PropertyDecorator {
  return NestedObject(() => AttentionDto, { optional: true, rule: checkAttention });
}

/** An optional field of a request that can look at the past. */
export function AttentionOrHistory(): PropertyDecorator {
  return NestedObject(() => AttentionOrHistoryDto, { optional: true, rule: checkAttention });
}

function checkAttention({ shares, mean, spread, ...others }: AttentionDto): Problem[] {
  const scores = mean !== undefined || spread !== undefined;
  const ways = [shares !== undefined, scores, 'history' in others && others.history !== undefined];
  if (ways.filter(Boolean).length !== 1) {
    return problem('not_allowed', 'must have exactly one description of attention');
  }
  if (scores && (mean === undefined || spread === undefined)) {
    const lacking = mean === undefined ? 'mean' : 'spread';
    return problem('required', 'is required', `.${lacking}`);
  }
  return mean === undefined || spread === undefined || isBeta(mean, spread)
    ? []
    : problem('too_large', `must be less than the square root of mean × (10 − mean)`, '.spread');
}

/** Returns the shares that are described, or `undefined` for those of the past. */
export function sharesOf({ shares, mean, spread }: AttentionDto): Shares | undefined {
  if (shares !== undefined) {
    return toShares(shares);
  }
  return mean === undefined || spread === undefined ? undefined : sharesOfBeta(mean, spread);
}
