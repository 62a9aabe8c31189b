import type { Shares } from './attention.rules';

/** Where an assumption comes from: the request, past responses, or the service's own guess. */
export const SOURCES = ['request', 'history', 'prior'] as const;

export type Source = (typeof SOURCES)[number];

/** What to expect of respondents. */
export interface Expectation {
  /** How many past responses were found, whether or not they were enough. */
  pastResponses: number;
  /** The likelihood of each cohort for a response. */
  shares: Shares;
  sharesFrom: Source;
  /** The part of those who begin that submits. */
  completionRate: number;
  completionRateFrom: Source;
}

/** What to expect of respondents about whom nothing is known: a guess, with a mean score of 5.9. */
export const PRIOR: Expectation = {
  pastResponses: 0,
  shares: [0.05, 0.15, 0.3, 0.3, 0.2],
  sharesFrom: 'prior',
  completionRate: 0.8,
  completionRateFrom: 'prior',
};
