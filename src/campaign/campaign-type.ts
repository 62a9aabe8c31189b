/** The kinds of campaign (section 2.2). */
export const CAMPAIGN_TYPES = ['survey', 'advertisement'] as const;

export type CampaignType = (typeof CAMPAIGN_TYPES)[number];
