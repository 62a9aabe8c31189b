import { Problem, problem } from '../../platform/validation/fields/field';
import { checkAnswers, positionsByKey, SentAnswer } from '../questions/answer.rules';
import { checkSet } from '../questions/question-set.rules';
import type { Asked, Question, QuestionType } from '../questions/question.types';
import { reviewSet } from '../questions/set-review.rules';
import { holds } from '../questions/shown.rules';
import {
  NO_QUALIFYING_ANSWER,
  QualifyingCondition,
  RULE_NAME_LENGTH,
  Targeting,
} from './targeting.types';

/** The types of question whose answers a condition can compare, besides those of several items. */
const TYPES: readonly QuestionType[] = [
  'single_choice',
  'multiple_choice',
  'rating',
  'nps',
  'number',
  'date',
  'checkbox',
];

/** The end of the way through the screening questions: a statement, shown to those who qualify. */
function withEnd({ screening_questions: questions, qualify }: Targeting): Question[] {
  const isKeyed = questions.some(({ key }) => key !== undefined);
  const end: Question = {
    type: 'statement',
    question: 'Welcome.',
    // No question can have this key.
    ...(isKeyed && { key: ' ' }),
    ...(qualify && { show_if: qualify }),
  };
  return [...questions, end];
}

/** Returns where something about such a way is in the rules. */
function placeIn({ screening_questions: { length } }: Targeting, path: string): string {
  return path
    .replace(`questions[${length}].show_if`, 'qualify')
    .replace(/^questions/, 'screening_questions');
}

const setOf = (questions: Question[]) => ({
  questions,
  language: null,
  translations: null,
  sections: null,
});

/** Returns what is wrong with the screening questions of rules, and with what they pay. */
export function checkScreeningQuestions(targeting: Targeting): Problem[] {
  const { screening_questions: questions, qualify, screen_out_reward: reward } = targeting;
  const isAsking = questions.length > 0;
  const left: [boolean, string, string][] = [
    [!isAsking && qualify !== null, 'qualify', 'is only for rules with screening_questions'],
    [
      !isAsking && reward !== null,
      'screen_out_reward',
      'is only for rules with screening_questions',
    ],
    [
      reward === null && targeting.maximum_screen_outs !== null,
      'maximum_screen_outs',
      'is only for rules with a screen_out_reward',
    ],
  ];
  const problems = left.flatMap(([isWrong, field, message]) =>
    isWrong ? problem('not_allowed', message, field) : [],
  );
  if (!isAsking) {
    return problems;
  }
  if (qualify === null) {
    return problem('required', 'is required with screening_questions', 'qualify');
  }
  const wrong = [...problems, ...questions.flatMap(checkQuestion)];
  return wrong.length > 0
    ? wrong
    : checkSet(setOf(withEnd(targeting))).map((each) => ({
        ...each,
        at: placeIn(targeting, each.at ?? ''),
      }));
}

function checkQuestion(question: Question, index: number): Problem[] {
  const at = `screening_questions[${index}]`;
  if (!TYPES.includes(question.type)) {
    return problem('not_allowed', `must be one of ${TYPES.join(', ')}`, `${at}.type`);
  }
  return 'shuffle' in question
    ? problem('not_allowed', 'is only for questions that a participation has', `${at}.shuffle`)
    : [];
}

/** Returns what of the screening questions a company may not have meant, each with its place. */
export function reviewScreeningQuestions(
  targeting: Targeting,
): { code: 'condition_always_holds' | 'condition_never_holds'; field: string; message: string }[] {
  if (targeting.screening_questions.length === 0) {
    return [];
  }
  return reviewSet(setOf(withEnd(targeting))).doubts.flatMap(({ code, message: text }) => {
    const message = placeIn(targeting, text);
    const [field = ''] = message.split(' ');
    return code === 'untranslated' ? [] : [{ code, field, message }];
  });
}

/** What answers to screening questions come to. */
export type Screened =
  /** What is wrong with them, with paths from the list. */
  | { problems: Problem[]; refusedBy: null }
  /** The rule that they do not meet; `null` for answers that qualify. */
  | { problems: null; refusedBy: string | null };

/** Compares answers with the screening questions. */
export function screenAnswers(
  { screening_questions: questions, qualify }: Targeting,
  answers: readonly SentAnswer[],
): Screened {
  if (questions.length === 0 && answers.length === 0) {
    return { problems: null, refusedBy: null };
  }
  const asked: Asked = { format: 'questionnaire', questions, imageSurvey: null };
  const problems = checkAnswers(asked, answers);
  if (problems.length > 0) {
    return { problems, refusedBy: null };
  }
  const positions = positionsByKey(questions);
  const positionOf = (name: number | string | undefined) =>
    typeof name === 'string' ? positions.get(name) : name;
  const values = new Map(answers.map(({ question, value }) => [positionOf(question), value]));
  const isMet = (condition: QualifyingCondition) =>
    holds(condition, values.get(positionOf(condition.question)));
  if (qualify?.any !== undefined) {
    return { problems: null, refusedBy: qualify.any.some(isMet) ? null : NO_QUALIFYING_ANSWER };
  }
  const unmet = qualify?.all?.find((condition) => !isMet(condition));
  return { problems: null, refusedBy: unmet === undefined ? null : nameOfQualifying(unmet) };
}

/** What a refusal calls a condition on the answer to a screening question. */
export function nameOfQualifying({ name, question, op, value }: QualifyingCondition): string {
  return name ?? [question, op, value].join(' ').trimEnd().slice(0, RULE_NAME_LENGTH);
}

/** The types of the screening questions that a platform cannot show. */
export function unsupportedTypes(
  { screening_questions: questions }: Targeting,
  supports: readonly QuestionType[],
): QuestionType[] {
  const types = new Set(questions.map(({ type }) => type));
  return [...types].filter((type) => !supports.includes(type));
}
