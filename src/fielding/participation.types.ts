/** Where a respondent's part in a campaign is in its life. */
export const PARTICIPATION_STATUSES = [
  'open',
  'submitted',
  'abandoned',
  'expired',
  'reversed',
] as const;

export type ParticipationStatus = (typeof PARTICIPATION_STATUSES)[number];
