import { ResponseCurrency } from '../../access/company/currency.field';
import {
  ResponseFlag,
  ResponseMoney,
  ResponseNumber,
} from '../../platform/openapi/response-fields';
import { Balance } from './balance.types';

/** More than a balance can have. */
const MAXIMUM = 100_000_000_000_000;

const SUM = { maximum: MAXIMUM } as const;

/** The balance of a company that pays in advance. */
export class BalanceDto {
  /** Whether your campaigns pay with the balance. Otherwise nothing of it is used. */
  @ResponseFlag()
  is_prepaid!: boolean;

  /** The currency of the amounts: that of your company. */
  @ResponseCurrency()
  currency!: string;

  /** What no campaign has yet. */
  @ResponseMoney(SUM)
  available!: number;

  /** What campaigns have got for their next respondents; what they do not need goes back. */
  @ResponseMoney(SUM)
  allotted!: number;

  /** What is held for respondents who are answering. */
  @ResponseMoney(SUM)
  held!: number;

  /** What respondents were paid, without what was taken back. */
  @ResponseMoney(SUM)
  paid!: number;

  /** The sum of `available`, `allotted`, `held` and `paid`: what was funded, less refunds. */
  @ResponseMoney(SUM)
  funded!: number;

  /**
   * What of `funded` was not funded, but held and paid by campaigns before they paid with the balance;
   * less what they had when they ceased to.
   */
  @ResponseNumber({ minimum: -MAXIMUM, maximum: MAXIMUM })
  postpaid!: number;

  /** Whether `available` and `allotted` are less than what your live campaigns can still cost. */
  @ResponseFlag()
  is_low!: boolean;

  static from(balance: Balance, currency: string): BalanceDto {
    return {
      is_prepaid: balance.is_prepaid,
      currency,
      available: Number(balance.available),
      allotted: Number(balance.allotted),
      held: Number(balance.held),
      paid: Number(balance.paid),
      funded: Number(balance.funded),
      postpaid: Number(balance.postpaid),
      is_low: balance.is_low,
    };
  }
}
