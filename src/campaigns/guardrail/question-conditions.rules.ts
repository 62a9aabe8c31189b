import { ErrorDetail } from '../../platform/protocol/api-error';
import type { Interval } from '../../platform/statistics/interval.rules';
import { positionsByKey } from '../questions/answer.rules';
import { answerRange, NPS_SCALE } from '../questions/answer-value.rules';
import { identitiesOf } from '../questions/option.rules';
import type { Question } from '../questions/question.types';
import type { Condition } from './condition.rules';

/** A field that does not fit the questions, and why. */
type Misfit = [field: 'question' | 'option' | 'row' | 'bounds' | 'value', message: string];

/**
 * Checks conditions on answers against the questions of the campaign, and adds the bounds of its
 * scale to the mean of a rating that has none.
 *
 * @param questions `undefined` for a guardrail of all campaigns
 * @param parent where the conditions are in the request
 */
export function completeConditions(
  conditions: readonly Condition[],
  questions: readonly Question[] | undefined,
  parent = '',
): { completed: Condition[]; details: ErrorDetail[] } {
  const details: ErrorDetail[] = [];
  const completed = conditions.map((condition, index) => {
    if (condition.question === undefined) {
      return condition;
    }
    const found = questionOf(condition.question, questions);
    const [misfit, scale] = found === undefined ? [NO_QUESTION] : fitAll(condition, found);
    if (questions === undefined || misfit !== undefined) {
      const [field, message] = questions === undefined ? ALL_CAMPAIGNS : (misfit ?? NO_QUESTION);
      const at = `${parent}when.all[${index}].${field}`;
      details.push({ field: at, code: 'not_allowed', message: `${at} ${message}.` });
    }
    return scale === undefined || condition.bounds !== undefined
      ? condition
      : { ...condition, bounds: scale };
  });
  return { completed, details };
}

const ALL_CAMPAIGNS: Misfit = ['question', 'is only for a guardrail of one campaign'];
const NO_QUESTION: Misfit = ['question', 'must name a question of the campaign'];

function questionOf(
  name: number | string,
  questions: readonly Question[] = [],
): Question | undefined {
  const position = typeof name === 'number' ? name : positionsByKey(questions).get(name);
  return questions[(position ?? 0) - 1];
}

/** What does not fit, or the bounds of the values, if the metric has such. */
type Fit = [misfit: Misfit | undefined, bounds?: Interval];

/**
 * Returns whether a condition fits a question; an interval has a width on a scale with two ends.
 */
function fitAll(condition: Condition, question: Question): Fit {
  const [misfit, scale] = fit(condition, question);
  const { metric, option, bounds, value } = condition;
  if (misfit !== undefined || metric !== 'interval_width') {
    return [misfit, scale];
  }
  if (option !== undefined) {
    return [bounds === undefined ? widthMisfit([0, 1], value) : ['bounds', 'is not for an option']];
  }
  const whole = bounds ?? scale;
  if (whole === undefined) {
    return [['bounds', 'must be present for a number without a minimum and a maximum']];
  }
  return scale !== undefined && (whole[0] > scale[0] || whole[1] < scale[1])
    ? [['bounds', 'must include the values of the question']]
    : [widthMisfit(whole, value), scale];
}

const widthMisfit = ([low, high]: Interval, width: number): Misfit | undefined =>
  width < high - low ? undefined : ['value', `must be less than ${high - low}, the whole scale`];

function fit({ metric, option, row }: Condition, question: Question): Fit {
  if (metric === 'option_share' || (metric === 'interval_width' && option !== undefined)) {
    if (question.type !== 'single_choice' && question.type !== 'multiple_choice') {
      return [['question', 'must be a single_choice or multiple_choice']];
    }
    return identitiesOf(question.options).includes(option ?? '')
      ? [undefined]
      : [['option', 'must be one of the options of the question']];
  }
  if (question.type === 'matrix' && question.scale !== undefined) {
    const { min, max } = question.scale;
    return identitiesOf(question.rows).includes(row ?? '')
      ? [undefined, [min, max]]
      : [['row', 'must be one of the rows of the question']];
  }
  if (row !== undefined) {
    return [['row', 'is only for a matrix with a scale']];
  }
  switch (question.type) {
    case 'rating':
      return [undefined, [question.scale.min, question.scale.max]];
    case 'nps':
      return [undefined, [NPS_SCALE.min, NPS_SCALE.max]];
    case 'number':
      return [undefined, answerRange(question)];
    default:
      return [['question', 'must be a rating, an nps, a number or a matrix with a scale']];
  }
}
