import { Audience, AudienceRule } from './targeting.types';

/** What a respondent has done in a campaign of the company. */
export interface Done {
  campaign: number;
  state: string;
  /** Whether the time of an open participation has run out. */
  isOver: boolean;
  cohort: number | null;
  /** How many days ago it was begun. */
  days: number;
}

/**
 * Returns the rule that refuses a respondent with this history; `null` if there is none. The
 * function `audience_refusal` of the database decides it when the respondent begins, and compares
 * the answers too.
 */
export function findAudienceRefusal(
  { exclude, include, at_most }: Audience,
  history: readonly Done[],
): AudienceRule | null {
  const isExcluded = ({ campaign, state, days }: Done) =>
    exclude !== null &&
    state !== 'screened_out' &&
    (exclude.campaigns?.includes(campaign) ?? true) &&
    days < (exclude.days ?? Infinity);
  if (history.some(isExcluded)) {
    return 'exclude';
  }
  const isIncluded = ({ campaign, state, cohort }: Done) =>
    campaign === include?.campaign &&
    state === 'submitted' &&
    (include.cohorts?.includes(cohort ?? 0) ?? true);
  if (include !== null && !history.some(isIncluded)) {
    return 'include';
  }
  const isCounted = ({ state, isOver, days }: Done) =>
    days < (at_most?.days ?? 0) &&
    (state === 'submitted' || state === 'reversed' || (state === 'open' && !isOver));
  return at_most !== null && history.filter(isCounted).length >= at_most.responses
    ? 'at_most'
    : null;
}
