import { MAX_DETAILS } from '../../platform/validation/dto-rules';
import { placed, Problem, problem } from '../../platform/validation/fields/field';
import { undecidedIn } from '../campaign/image-survey.rules';
import { AnswerContent, checkQuestion, NOT_SHOWN } from './answer-content.rules';
import { checkPosition, checkRating } from './answer-value.rules';
import type { AnswerValue, Asked, Question } from './question.types';
import { keyOf, shownContent } from './shown.rules';

/**
 * An answer, as a platform sends it. It names what it is about: a question by its position, from 1,
 * or by its key; an image of a slider, or the two images of a pair, by their positions. The answer
 * to a binary survey names nothing.
 */
export interface SentAnswer extends AnswerContent {
  question?: number | string;
  image?: number;
  images?: number[];
}

/**
 * An answer, as it is stored: always with the position of its question, whatever the platform named
 * it by, and also with the key, if the question has one of its own.
 */
export interface Answer extends SentAnswer {
  question?: number;
  key?: string;
}

/** One thing that must or may be answered. */
interface Item {
  /** What the answer must name. */
  name: (typeof NAMES)[number] | undefined;
  /** For people, such as `question 2`. */
  label: string;
  required: boolean;
  /** Whether the other answers hide it, so that it must not be answered. */
  isHidden: boolean;
  check: (answer: SentAnswer) => Problem[];
}

const NAMES = ['question', 'image', 'images'] as const;

/**
 * Returns what is wrong with the answers to what a campaign asks, up to {@link MAX_DETAILS}
 * problems.
 *
 * @param answers valid in themselves, besides those at the positions in `invalid`
 * @param invalid these answers are not checked, and no answer is missing then
 */
export function checkAnswers(
  asked: Asked,
  answers: readonly SentAnswer[],
  invalid: ReadonlySet<number> = new Set(),
): Problem[] {
  const items = itemsOf(asked, answers);
  const positions = positionsByKey(asked.questions);
  const name = [...items.values()][0]?.name;
  if (items.size === 0) {
    return answers.length === 0
      ? []
      : problem('not_allowed', 'must be empty, because the campaign asks nothing');
  }
  const problems: Problem[] = [];
  // What is shown, and so what is missing, follows from answers that are right.
  const hidden: Problem[] = [];
  const hiddenWrong: Problem[] = [];
  const answered = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    if (problems.length >= MAX_DETAILS) {
      break;
    }
    if (invalid.has(index)) {
      continue;
    }
    const at = `[${index}]`;
    const misnamed = checkNames(answer, name, at);
    if (misnamed.length > 0) {
      problems.push(...misnamed);
      continue;
    }
    const key = nameOf(answer, positions);
    const item = items.get(key);
    const place = name === undefined ? at : `${at}.${name}`;
    if (item === undefined) {
      problems.push(...problem('not_allowed', 'must name something that the campaign asks', place));
    } else if (answered.has(key)) {
      problems.push(...problem('duplicate', 'is answered more than once', place));
    } else {
      answered.add(key);
      const wrong = placed(at, item.check(answer));
      if (item.isHidden) {
        hidden.push(...problem('not_shown', NOT_SHOWN, place));
        hiddenWrong.push(...wrong);
      } else {
        hidden.push(...wrong.filter(({ code }) => code === 'not_shown'));
        problems.push(...wrong.filter(({ code }) => code !== 'not_shown'));
      }
    }
  }
  return problems.length + invalid.size > 0
    ? [...problems, ...hiddenWrong].slice(0, MAX_DETAILS)
    : [...hidden, ...missing(items, answered)].slice(0, MAX_DETAILS);
}

/** How many missing answers a message names. */
const NAMED = 5;

function missing(items: ReadonlyMap<string, Item>, answered: ReadonlySet<string>): Problem[] {
  const labels = [...items]
    .filter(([key, { required, isHidden }]) => required && !isHidden && !answered.has(key))
    .map(([, { label }]) => label);
  const others = labels.length > NAMED ? ` and ${labels.length - NAMED} more` : '';
  return labels.length === 0
    ? []
    : problem('required', `must have an answer to ${labels.slice(0, NAMED).join(', ')}${others}`);
}

/** The positions of questions, from 1, by their keys. */
export function positionsByKey(questions: readonly Question[] | null): ReadonlyMap<string, number> {
  return new Map(
    (questions ?? []).map((question, index) => [keyOf(question, index + 1), index + 1]),
  );
}

function nameOf(
  { question, image, images }: SentAnswer,
  positions: ReadonlyMap<string, number>,
): string {
  const position = typeof question === 'string' ? (positions.get(question) ?? 0) : question;
  return String(position ?? image ?? images?.toSorted((a, b) => a - b) ?? '');
}

function checkNames(answer: SentAnswer, name: Item['name'], at: string): Problem[] {
  return NAMES.flatMap((each) => {
    if (each === name) {
      return answer[each] === undefined ? problem('required', 'is required', `${at}.${each}`) : [];
    }
    return answer[each] === undefined
      ? []
      : problem('not_for_this_campaign', 'is for another format of campaign', `${at}.${each}`);
  });
}

function checkImageAnswer(check: (value: AnswerValue) => Problem[]): Item['check'] {
  return ({ value, other, comment }) => [
    ...placed('.value', check(value)),
    ...[{ other }, { comment }].flatMap((own) =>
      Object.entries(own).flatMap(([name, text]) =>
        text === undefined
          ? []
          : problem('not_for_this_campaign', 'is for another format of campaign', `.${name}`),
      ),
    ),
  ];
}

/** What a campaign asks, by the name of its answer. */
function itemsOf(
  { format, questions, imageSurvey }: Asked,
  answers: readonly SentAnswer[],
): Map<string, Item> {
  if (imageSurvey === null) {
    const asked = questions ?? [];
    const shown = shownContent({ questions: asked }, answers);
    return new Map(
      asked.map((question, index) => [
        String(index + 1),
        {
          name: 'question',
          label: `question ${index + 1}`,
          required: question.type !== 'statement' && question.required !== false,
          isHidden: !shown.has(index + 1),
          check: (answer) => checkQuestion(question, shown.get(index + 1) ?? question, answer),
        },
      ]),
    );
  }
  const { images, scale } = imageSurvey;
  const undecided = undecidedIn(imageSurvey);
  const positions = images.map((_, index) => index + 1);
  const item = (
    name: Item['name'],
    label: string,
    check: (value: AnswerValue) => Problem[],
  ): Item => ({ name, label, required: true, isHidden: false, check: checkImageAnswer(check) });
  switch (format) {
    case 'image_slider':
      return new Map(
        positions.map((image) => [
          String(image),
          item('image', `image ${image}`, (value) => checkRating(scale, value)),
        ]),
      );
    case 'round_robin':
      return new Map(
        positions.flatMap((first) =>
          positions
            .slice(first)
            .map((second): [string, Item] => [
              String([first, second]),
              item('images', `images ${first} and ${second}`, (value) =>
                checkPosition(value, [first, second], undecided),
              ),
            ]),
        ),
      );
    default:
      return new Map([
        [
          '',
          item(undefined, 'the question', (value) => checkPosition(value, positions, undecided)),
        ],
      ]);
  }
}
