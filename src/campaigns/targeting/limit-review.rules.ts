import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import type { Campaign } from '../campaign/campaign.entity';
import { reviewScreeningQuestions } from './screening-questions.rules';
import { reviewRanges, TARGETING_WARNING_CODES } from './targeting.rules';
import type { Targeting } from './targeting.types';

/** What a company may not have meant by rules and the limit of its campaign together. */
export const LAUNCH_RULE_CODES = [
  ...TARGETING_WARNING_CODES,
  'quota_above_max_responses',
  'quotas_below_max_responses',
  'unlimited_screen_outs',
] as const;

export interface RuleWarning {
  code:
    | (typeof LAUNCH_RULE_CODES)[number]
    | ReturnType<typeof reviewScreeningQuestions>[number]['code'];
  /** The path of what it is about, from the rules. */
  field: string;
  message: string;
}

/** Returns what a company may not have meant by its rules. */
export function reviewRules(
  targeting: Targeting,
  { maxResponses, budget }: Pick<Campaign, 'maxResponses' | 'budget'>,
): RuleWarning[] {
  return [
    ...reviewRanges(targeting),
    ...reviewScreeningQuestions(targeting),
    ...(isUnlimited(targeting) && budget === null ? [UNLIMITED_SCREEN_OUTS] : []),
    ...(maxResponses === null ? [] : reviewLimits(targeting, maxResponses)),
  ];
}

const isUnlimited = ({ screen_out_reward, maximum_screen_outs }: Targeting) =>
  screen_out_reward !== null && maximum_screen_outs === null;

const UNLIMITED_SCREEN_OUTS: RuleWarning = {
  code: 'unlimited_screen_outs',
  field: 'screen_out_reward',
  message:
    'Without maximum_screen_outs and budget, nothing limits what respondents who do not qualify are paid.',
};

/** Compares the limits of quotas with that of the campaign, in which a respondent counts once. */
function reviewLimits({ quotas, other }: Targeting, maxResponses: number): RuleWarning[] {
  const warnings = quotas.flatMap(({ limit }, index): RuleWarning[] => {
    const field = `quotas[${index}].limit`;
    const message = `${field} is above max_responses, so the campaign ends before the quota is full.`;
    return limit > maxResponses ? [{ code: 'quota_above_max_responses', field, message }] : [];
  });
  const sum = sumOf(quotas.map(({ limit }) => limit));
  if (quotas.length > 0 && other === 'refuse' && sum < maxResponses) {
    warnings.push({
      code: 'quotas_below_max_responses',
      field: 'quotas',
      message: `The limits of all quotas sum to ${sum}, and nobody else may begin, so max_responses is never reached.`,
    });
  }
  return warnings;
}
