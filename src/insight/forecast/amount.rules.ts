import { Big } from 'big.js';
import { placesOf } from '../../access/company/currency.field';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';

/** How many minor units a unit of a campaign's currency has. */
export const minorUnitsOf = ({ currency }: Pick<Campaign, 'currency'>) => 10 ** placesOf(currency);

/** An amount in minor units of a campaign's currency. */
export const toMinor = (amount: string, campaign: Pick<Campaign, 'currency'>) =>
  BigInt(new Big(amount).times(minorUnitsOf(campaign)).toFixed(0));
