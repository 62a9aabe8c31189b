import type { Campaign } from '../../campaigns/campaign/campaign.entity';

/** What a campaign states about disputes, because it concerns whoever begins it. */
export interface DisputeTerms {
  review_days?: number;
  maximum_dispute_share?: number;
}

/** Returns the terms of disputes of a campaign; without disputes, there are none. */
export function disputeTerms({
  reviewDays,
  maximumDisputeShare,
}: Pick<Campaign, 'reviewDays' | 'maximumDisputeShare'>): DisputeTerms {
  const share = Number(maximumDisputeShare);
  return reviewDays !== null && reviewDays > 0 && share > 0
    ? { review_days: reviewDays, maximum_dispute_share: share }
    : {};
}
