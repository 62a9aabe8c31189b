import { ResponseInteger, ResponseMoney } from '../../platform/openapi/response-fields';
import { MONEY_MAXIMUM } from '../../platform/validation/fields/number.fields';
import { MAX_RESPONSES } from './campaign.fields';

/** More than all responses of a campaign can cost with their bonuses, and as many screened out. */
export const COST = { maximum: 3 * MONEY_MAXIMUM * MAX_RESPONSES.maximum } as const;

/** How far a campaign is. `begun` is the sum of `open`, `submitted`, `abandoned` and `expired`. */
export class CampaignProgressDto {
  /** Respondents who began. */
  @ResponseInteger()
  begun!: number;

  /** Those who have a place and have not submitted. */
  @ResponseInteger()
  open!: number;

  /** Those who submitted, including reversed responses. */
  @ResponseInteger()
  submitted!: number;

  /** Responses whose reward was taken back. */
  @ResponseInteger()
  reversed!: number;

  /** Those who gave their place back. */
  @ResponseInteger()
  abandoned!: number;

  /** Those whose time ran out. */
  @ResponseInteger()
  expired!: number;

  /** Those who were paid although their answers to the screening questions do not qualify. */
  @ResponseInteger()
  screened_out!: number;

  /** What was paid, without what was taken back. */
  @ResponseMoney(COST)
  spent!: number;

  /** What of `spent` was paid to those who are `screened_out`. */
  @ResponseMoney(COST)
  screen_out_spent!: number;

  /** What of `spent` was paid as bonuses. */
  @ResponseMoney(COST)
  bonus_spent!: number;

  /** Responses that were ever disputed. */
  @ResponseInteger()
  disputed!: number;

  /** What is held for those who have a place. */
  @ResponseMoney(COST)
  held!: number;
}
