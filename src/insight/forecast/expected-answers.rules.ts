import type { Condition } from '../../campaigns/guardrail/condition.rules';
import { CompletingGuardrail, countedSpread } from '../../campaigns/guardrail/known-enough.rules';
import { scaleOf, sequenceOf } from '../../campaigns/guardrail/measured.rules';
import { ApiError, ErrorDetail, fieldDetail, summarize } from '../../platform/protocol/api-error';
import type { ExpectedAnswerDto } from './expected-answers.dto';
import { likelihoodsOfMean, likelihoodsOfShare, Wanted } from './known-enough.rules';

/** The share of an option about which nothing is known: it takes the most responses. */
const ANY_SHARE = 0.5;

/** The guardrails that a forecast knows how to run: which nothing but answers decides. */
export const predictable = (completing: readonly CompletingGuardrail[]) =>
  completing.filter(({ isOnlyWidths, reached }) => isOnlyWidths && reached === null);

const isAbout = (condition: Condition, { question, option, row }: ExpectedAnswerDto) =>
  condition.question === question && condition.option === option && condition.row === row;

/**
 * Refuses answers that no guardrail waits for, or that its scale does not have.
 *
 * @throws ApiError `validation_failed`
 */
export function checkExpected(
  completing: readonly CompletingGuardrail[],
  expected: readonly ExpectedAnswerDto[],
): void {
  const conditions = predictable(completing).flatMap(({ precisions }) =>
    precisions.map(({ condition }) => condition),
  );
  const details = expected.flatMap((each, index): ErrorDetail[] => {
    const at = `expected_answers[${index}]`;
    const condition = conditions.find((one) => isAbout(one, each));
    if (condition === undefined) {
      const message =
        'must be about a condition on interval_width of a guardrail that completes the campaign';
      return [fieldDetail(`${at}.question`, 'not_allowed', message)];
    }
    return each.share !== undefined || isPossible(onScale(condition, each))
      ? []
      : [fieldDetail(`${at}.mean`, 'not_allowed', 'must be possible on the scale, with spread')];
  });
  if (details.length > 0) {
    throw new ApiError('validation_failed', summarize(details), details);
  }
}

/** What each guardrail waits to know, with the answers to expect. */
export function wantedOf(
  completing: readonly CompletingGuardrail[],
  expected: readonly ExpectedAnswerDto[],
): Wanted[][] {
  return predictable(completing).map((guardrail) =>
    guardrail.precisions.map(({ condition }) => {
      const stated = expected.find((each) => isAbout(condition, each));
      return {
        sequence: sequenceOf(condition),
        counted: countedSpread(guardrail, condition),
        likelihoods:
          condition.option === undefined
            ? likelihoodsOfMean(stated && onScale(condition, stated))
            : likelihoodsOfShare(stated?.share ?? ANY_SHARE),
      };
    }),
  );
}

/** Whether values from 0 to 1 can have a mean and a standard deviation. */
const isPossible = ({ mean, spread }: { mean: number; spread: number }) =>
  spread ** 2 < mean * (1 - mean);

/** A mean and a standard deviation, as parts of the scale. */
function onScale(condition: Condition, { mean = 0, spread = 0 }: ExpectedAnswerDto) {
  const [low, high] = scaleOf(condition);
  return { mean: (mean - low) / (high - low), spread: spread / (high - low) };
}
