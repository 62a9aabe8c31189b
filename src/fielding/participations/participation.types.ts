/** Where a respondent's part in a campaign is in its life. */
export const PARTICIPATION_STATUSES = [
  'open',
  'submitted',
  'abandoned',
  'expired',
  'reversed',
  'screened_out',
] as const;

export type ParticipationStatus = (typeof PARTICIPATION_STATUSES)[number];

/** What a respondent has earned in a currency; amounts are decimals, `null` where there is none. */
export interface Earnings {
  currency: string;
  earned: string | null;
  reversed: string | null;
  held: string | null;
  /** How many participations were summed. */
  participations: number;
}
