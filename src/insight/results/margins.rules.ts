import type { Margin } from '../../campaigns/campaign/campaign.entity';
import { positionsByKey } from '../../campaigns/questions/answer.rules';
import { identitiesOf } from '../../campaigns/questions/option.rules';
import type { Question } from '../../campaigns/questions/question.types';
import { ApiError, fieldDetail } from '../../platform/protocol/api-error';
import { rounded } from '../../platform/statistics/interval.rules';
import { JointCell, KnownShares, rake } from '../../platform/statistics/raking.rules';
import type { MarginsResultDto } from './results-parts.dto';
import { columnOfCell, Variable } from './tabulation.rules';
import { Counting, Tallied } from './tally.rules';
import { WeightedTallied } from './weighted-tally.rules';

/** A margin with what its shares are about, in the order of the columns of the tabulation. */
interface PlannedMargin {
  variable: Variable;
  names: string[];
  shares: KnownShares;
}

/** The answers that a question of a margin can have; `null` for a question with other answers. */
function answersTo(question: Question | undefined): string[] | null {
  switch (question?.type) {
    case 'single_choice':
      return identitiesOf(question.options);
    case 'checkbox':
      return ['true', 'false'];
    default:
      return null;
  }
}

/**
 * What the margins of a campaign are about in a version of its questions.
 *
 * @throws ApiError `margins_not_possible`
 */
export function planMargins(
  margins: readonly Margin[] | null,
  questions: readonly Question[] | null,
): PlannedMargin[] {
  if (margins === null) {
    throw marginsNotPossible('margins', 'are not declared');
  }
  const positions = positionsByKey(questions);
  return margins.map(({ question, shares }, index) => {
    const at = `margins[${index}]`;
    if (question === undefined) {
      const names = Object.keys(shares).sort((a, b) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
      return { variable: { quotas: names }, names, shares: names.map((name) => shares[name]) };
    }
    const names = answersTo(questions?.[(positions.get(question) ?? 0) - 1]);
    if (names === null) {
      throw marginsNotPossible(
        `${at}.question`,
        'must name a single_choice or a checkbox of this version',
      );
    }
    const unknown = Object.keys(shares).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw marginsNotPossible(`${at}.shares.${unknown}`, 'must name an answer to the question');
    }
    return { variable: { question }, names, shares: names.map((name) => shares[name]) };
  });
}

export function marginsNotPossible(field: string, message: string): ApiError {
  const detail = fieldDetail(field, 'not_allowed', message);
  return new ApiError('margins_not_possible', detail.message, [detail]);
}

/**
 * Weights the responses of a tabulation's cells so that they have the margins.
 *
 * @param cells what the tally has in each of them
 */
export function weighToMargins(
  margins: readonly PlannedMargin[],
  cells: ReadonlyMap<number, Tallied>,
  counting: Counting,
): { tallied: WeightedTallied; result: MarginsResultDto } {
  const joint = [...cells].map(([cell, tallied]): JointCell & { tallied: Tallied } => ({
    tallied,
    count: tallied.count('counted'),
    values: digitsOf(
      columnOfCell(cell),
      margins.map(({ names }) => names.length + 1),
    ),
  }));
  const { weights, converged, iterations, largestDifference, missing } = rake(
    joint,
    margins.map(({ shares }) => shares),
  );
  const parts = joint.map(({ tallied }, index) => ({ tallied, weight: weights[index] ?? 0 }));
  const tallied = new WeightedTallied(counting, parts);
  const used = weights.filter((_, index) => (joint[index]?.count ?? 0) > 0);
  const { responses, size } = tallied.sample('counted');
  return {
    tallied,
    result: {
      converged,
      iterations,
      largest_difference: rounded(largestDifference),
      effective_size: rounded(size),
      design_effect: size > 0 ? rounded(responses / size) : null,
      smallest_weight: used.length > 0 ? rounded(Math.min(...used)) : null,
      largest_weight: used.length > 0 ? rounded(Math.max(...used)) : null,
      missing: missing.map(({ variable, value }) => ({
        margin: variable,
        value: String(margins[variable]?.names[value - 1]),
      })),
    },
  };
}

/** The digits of a number whose places have these sizes, the last one first in value. */
function digitsOf(number: number, sizes: readonly number[]): number[] {
  let rest = number;
  return sizes
    .toReversed()
    .map((size) => {
      const digit = rest % size;
      rest = (rest - digit) / size;
      return digit;
    })
    .toReversed();
}
