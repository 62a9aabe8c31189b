import { requireMinorUnit } from '../../access/company/currency.field';
import { currencyOf, Principal } from '../../platform/caller/principal';
import { fieldError } from '../../platform/protocol/api-error';
import { amountsIn } from '../guardrail/metrics.rules';
import type { CampaignDocumentDto } from './campaign-document.dto';

/** Amounts of one currency never become amounts of another, and have its decimal places. */
export function requireCurrency(caller: Principal, document: CampaignDocumentDto): void {
  const { currency } = document;
  const own = currencyOf(caller);
  if (currency !== undefined && currency !== own) {
    const message = `currency is ${currency}, and your company's is ${own}.`;
    throw fieldError('currency', 'not_allowed', message, 'currency_mismatch');
  }
  requireMinorUnit(own, amountsOf(document));
}

/** The amounts of a document, by their fields. */
function amountsOf(document: CampaignDocumentDto): Record<string, number | null | undefined> {
  const { reward_amount, budget, cohort_rewards = {}, guardrails = [], targeting } = document;
  const rewards = Object.entries<number>({ ...cohort_rewards });
  const watched = guardrails.flatMap(({ when }, index) =>
    Object.entries(amountsIn(when.all, `guardrails[${index}].`)),
  );
  return {
    reward_amount,
    budget,
    'targeting.screen_out_reward': targeting?.screen_out_reward,
    ...Object.fromEntries(rewards.map(([name, amount]) => [`cohort_rewards.${name}`, amount])),
    ...Object.fromEntries(watched),
  };
}
