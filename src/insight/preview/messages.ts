import {
  DESCRIPTIVE_MAXIMUM,
  NPS_SCALE,
  NUMBER_MAXIMUM,
  OWN_TEXT_MAXIMUM,
  TEXT_MAXIMUM,
} from '../../campaigns/questions/answer-value.rules';
import { DATE_EXAMPLES } from '../../campaigns/questions/date.rules';
import { scaleOf } from '../../campaigns/questions/languages.rules';
import { optionOf, optionsIn } from '../../campaigns/questions/option.rules';
import type { Question } from '../../campaigns/questions/question.types';
import type { Problem } from '../../platform/validation/fields/field';
import { fill, Texts } from './texts';

type Message = readonly [text: keyof Texts, n?: number | string];

/** Says to a respondent what is wrong with an answer. */
export function messageOf(question: Question, problem: Problem, texts: Texts): string {
  const [name, n = ''] = findMessage(question, problem);
  return fill(texts[name], n);
}

function findMessage(question: Question, { at = '', code }: Problem): Message {
  if (at.endsWith('.other') && code === 'required') {
    return ['ownText'];
  }
  if (/^\.(other|comment)$/.test(at)) {
    return code === 'too_long' ? ['tooLong', OWN_TEXT_MAXIMUM] : ['invalid'];
  }
  if (code === 'required') {
    return [at.includes('.value') ? 'rows' : 'required'];
  }
  const find = MESSAGES[code];
  return find === undefined ? ['invalid'] : find(question);
}

/** Limits that a question can have, whatever its type. */
interface Limits {
  minimum?: number;
  maximum?: number;
  decimals?: number;
  minimum_length?: number;
  maximum_length?: number;
  minimum_choices?: number;
  maximum_choices?: number;
  rank_at_most?: number;
}

const limitsOf = (question: Question) => question as Limits;

const scaleFor = (question: Question) => (question.type === 'nps' ? NPS_SCALE : scaleOf(question));

const MESSAGES: Partial<Record<Problem['code'], (question: Question) => Message>> = {
  too_short: (question) => ['tooShort', limitsOf(question).minimum_length],
  too_long: (question) => [
    'tooLong',
    limitsOf(question).maximum_length ??
      (question.type === 'descriptive' ? DESCRIPTIVE_MAXIMUM : TEXT_MAXIMUM),
  ],
  invalid_email: () => ['email'],
  invalid_url: () => ['url'],
  not_an_integer: () => ['integer'],
  invalid_type: ({ type }) => [type === 'ranking' ? 'ranks' : 'number'],
  too_small: (question) => [
    'tooSmall',
    scaleFor(question)?.min ?? limitsOf(question).minimum ?? -NUMBER_MAXIMUM,
  ],
  too_large: (question) => [
    'tooLarge',
    scaleFor(question)?.max ?? limitsOf(question).maximum ?? NUMBER_MAXIMUM,
  ],
  too_precise: (question) => {
    const { decimals = 0 } = limitsOf(question);
    return decimals === 0 ? ['integer'] : ['decimals', decimals];
  },
  invalid_date: (question) => [
    'date',
    DATE_EXAMPLES[(question.type === 'date' ? question.precision : undefined) ?? 'day'],
  ],
  too_few: (question) => {
    if (question.type === 'ranking') {
      return ['tooFew', question.rank_at_most === undefined ? question.options.length : 1];
    }
    return ['tooFew', limitsOf(question).minimum_choices ?? 1];
  },
  too_many: (question) => [
    'tooMany',
    limitsOf(question).maximum_choices ?? limitsOf(question).rank_at_most,
  ],
  not_allowed: (question) => {
    const alone = optionsIn(question)
      .map(optionOf)
      .find(({ exclusive }) => exclusive === true);
    if (question.type === 'multiple_choice' && alone !== undefined) {
      return ['exclusive', alone.text];
    }
    return [question.type === 'checkbox' ? 'mustBeTrue' : 'invalid'];
  },
};
