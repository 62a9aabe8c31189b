import type { Asked } from '../questions/question.rules';
import { MAX_DETAILS } from '../validation/dto-rules';
import { Problem, problem } from '../validation/fields/field';
import { AnswerValue, checkAnswer, checkPosition, checkRating } from './answer-value.rules';

/**
 * An answer, as it is stored. It names what it is about by its position, from 1: a question, an
 * image of a slider, or the two images of a pair. The answer to a binary survey names nothing.
 */
export interface Answer {
  question?: number;
  image?: number;
  images?: number[];
  value: AnswerValue;
}

/** One thing that must or may be answered. */
interface Item {
  /** What the answer must name. */
  name: keyof Omit<Answer, 'value'> | undefined;
  /** For people, such as `question 2`. */
  label: string;
  required: boolean;
  check: (value: AnswerValue) => Problem[];
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
  answers: readonly Answer[],
  invalid: ReadonlySet<number> = new Set(),
): Problem[] {
  const items = itemsOf(asked);
  const name = [...items.values()][0]?.name;
  if (items.size === 0) {
    return answers.length === 0
      ? []
      : problem('not_allowed', 'must be empty, because the campaign asks nothing');
  }
  const problems: Problem[] = [];
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
    const key = keyOf(answer);
    const item = items.get(key);
    const place = name === undefined ? at : `${at}.${name}`;
    if (item === undefined) {
      problems.push(...problem('not_allowed', 'must name something that the campaign asks', place));
    } else if (answered.has(key)) {
      problems.push(...problem('duplicate', 'is answered more than once', place));
    } else {
      answered.add(key);
      const wrong = item.check(answer.value);
      problems.push(...wrong.map((each) => ({ ...each, at: `${at}.value${each.at ?? ''}` })));
    }
  }
  return problems.length + invalid.size > 0
    ? problems.slice(0, MAX_DETAILS)
    : missing(items, answered);
}

/** How many missing answers a message names. */
const NAMED = 5;

function missing(items: ReadonlyMap<string, Item>, answered: ReadonlySet<string>): Problem[] {
  const labels = [...items]
    .filter(([key, { required }]) => required && !answered.has(key))
    .map(([, { label }]) => label);
  const others = labels.length > NAMED ? ` and ${labels.length - NAMED} more` : '';
  return labels.length === 0
    ? []
    : problem('required', `must have an answer to ${labels.slice(0, NAMED).join(', ')}${others}`);
}

/**
 * Returns the answers in the order of what they are about, and pairs with the lower image first.
 */
export function inOrder(answers: readonly Answer[]): Answer[] {
  return answers
    .map(({ question, image, images, value }) => ({
      ...(question === undefined ? {} : { question }),
      ...(image === undefined ? {} : { image }),
      ...(images === undefined ? {} : { images: images.toSorted((a, b) => a - b) }),
      value,
    }))
    .toSorted((a, b) => position(a) - position(b));
}

/** More than the images of a survey. */
const RADIX = 1_000;

function position({ question, image, images }: Answer): number {
  return question ?? image ?? (images?.[0] ?? 0) * RADIX + (images?.[1] ?? 0);
}

function keyOf(answer: Answer): string {
  return String(answer.question ?? answer.image ?? answer.images?.toSorted((a, b) => a - b) ?? '');
}

function checkNames(answer: Answer, name: Item['name'], at: string): Problem[] {
  return NAMES.flatMap((each) => {
    if (each === name) {
      return answer[each] === undefined ? problem('required', 'is required', `${at}.${each}`) : [];
    }
    return answer[each] === undefined
      ? []
      : problem('not_for_this_campaign', 'is for another format of campaign', `${at}.${each}`);
  });
}

/** What a campaign asks, by the key of its answer. */
function itemsOf({ format, questions, imageSurvey }: Asked): Map<string, Item> {
  if (imageSurvey === null) {
    return new Map(
      (questions ?? []).map((question, index) => [
        String(index + 1),
        {
          name: 'question',
          label: `question ${index + 1}`,
          required: question.required !== false,
          check: (value) => checkAnswer(question, value),
        },
      ]),
    );
  }
  const { images, scale } = imageSurvey;
  const positions = images.map((_, index) => index + 1);
  switch (format) {
    case 'image_slider':
      return new Map(
        positions.map((image) => [
          String(image),
          {
            name: 'image',
            label: `image ${image}`,
            required: true,
            check: (value) => checkRating(scale, value),
          },
        ]),
      );
    case 'round_robin':
      return new Map(
        positions.flatMap((first) =>
          positions.slice(first).map((second): [string, Item] => [
            String([first, second]),
            {
              name: 'images',
              label: `images ${first} and ${second}`,
              required: true,
              check: (value) => checkPosition(value, [first, second]),
            },
          ]),
        ),
      );
    default:
      return new Map([
        [
          '',
          {
            name: undefined,
            label: 'the question',
            required: true,
            check: (value) => checkPosition(value, positions),
          },
        ],
      ]);
  }
}
