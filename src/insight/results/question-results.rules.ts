import { QUALITY_SIGNALS } from '../../campaigns/questions/quality-signals.types';
import { questionResult } from './answer-results.rules';
import { imageResult } from './image-results.rules';
import type { QuestionResult } from './question-results.dto';
import type { SignalResultDto } from './results-parts.dto';
import type { CampaignResults } from './results.types';
import { KnownShares, shareIn, shareOf } from './shares.rules';
import { COHORTS, Tallied } from './tally.rules';

/**
 * The results of each question, or of the one that an image survey asks. Each is computed when it
 * is asked for: all of a long questionnaire together take too long for one turn.
 */
export function* questionResults(results: CampaignResults): Generator<QuestionResult> {
  const { questions, imageSurvey, tallied } = results;
  if (imageSurvey !== null) {
    yield imageResult(results, imageSurvey);
    return;
  }
  const known: KnownShares = new Map();
  for (const [index, question] of (questions ?? []).entries()) {
    yield questionResult(question, { position: index + 1, tallied, known });
  }
}

/** What each quality signal says about the responses that are counted. */
export function signalResults(tallied: Tallied): SignalResultDto[] {
  return QUALITY_SIGNALS.map((signal) => {
    const { count, ...share } = shareIn(tallied, ['measured', signal])(['flagged', signal]);
    return {
      signal,
      measured: tallied.count('measured', signal),
      flagged: count,
      ...share,
    };
  });
}

/** The share of each cohort in all responses that are counted, whatever cohorts are chosen. */
export function cohortShares(tallied: Tallied) {
  const responses = tallied.of('counted');
  const all = responses.reduce((sum, each) => sum + each, 0);
  return COHORTS.map((cohort) => {
    const count = responses[cohort - 1] ?? 0;
    return {
      cohort,
      responses: count,
      ...shareOf(count, all, all),
      paid: tallied.of('paid')[cohort - 1] ?? 0,
    };
  });
}
