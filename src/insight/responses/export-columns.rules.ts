import type { SurveyFormat } from '../../campaigns/campaign/campaign.types';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { Question } from '../../campaigns/questions/question.types';
import type { Answer } from '../../campaigns/questions/answer.rules';
import { identityOf } from '../../campaigns/questions/option.rules';
import { normalizeText } from '../../platform/validation/fields/unicode';

/** A cell: text, a number, or nothing. */
export type Cell = string | number | null;

/** The columns of what a campaign asks. */
export interface AnswerColumns {
  /**
   * Returns the names, readable and unique, once: those of many options take more memory than all
   * else that an export holds while its client reads.
   */
  takeNames: () => string[];
  /** The cells of a response, one for each name. */
  cellsOf: (answers: readonly Answer[], version: number | null) => Cell[];
}

/** Maximum number of characters of its question in the name of an option's column. */
const QUESTION_LENGTH = 200;

/**
 * The columns of question sets: one for each question, and one for each option of a multiple
 * choice, with 1 if it was chosen and 0 if not. A question that stands at the same place in several
 * sets has one column. A place that has no answer is empty.
 *
 * A set can have tens of thousands of options, so questions are added one by one, in turns.
 */
export class QuestionColumns implements AnswerColumns {
  /** How many columns there are. */
  count = 0;
  private readonly names: string[] = [];
  private readonly used = new Set<string>();
  /** The places of the options of each numbered question; without an option, its own place. */
  private readonly places = new Map<string, Map<string | undefined, number>>();
  private readonly writers = new Map<number, Writer[]>();

  /** Adds the next question of a set. */
  add(version: number, asked: Question): void {
    const { question } = asked;
    const writers = this.writers.get(version) ?? [];
    this.writers.set(version, writers);
    const number = `${writers.length + 1}. `;
    const known = this.places.get(number + question) ?? new Map<string | undefined, number>();
    this.places.set(number + question, known);
    const placeOf = (name: string, option?: string): number => {
      const place = known.get(option) ?? this.count;
      if (place === this.count) {
        known.set(option, place);
        this.names.push(uniqueName(name, version, this.used));
        this.count += 1;
      }
      return place;
    };
    if (asked.type === 'multiple_choice') {
      const options = asked.options.map(identityOf);
      const name = number + shortened(question);
      const places = options.map((option) => placeOf(`${name} [${option}]`, option));
      // Options of sets that were stored earlier need not be normalised, as values are.
      writers.push(optionsWriter(options.map(normalizeText), places));
    } else {
      const place = placeOf(number + question);
      writers.push((cells, value) => {
        cells[place] = toCell(value);
      });
    }
  }

  takeNames(): string[] {
    this.used.clear();
    this.places.clear();
    return this.names.splice(0);
  }

  cellsOf(answers: readonly Answer[], version: number | null): Cell[] {
    const cells = Array.from<Cell>({ length: this.count }).fill(null);
    const writers = version === null ? undefined : this.writers.get(version);
    for (const { question = 0, value } of answers) {
      writers?.[question - 1]?.(cells, value);
    }
    return cells;
  }
}

/** Returns a question for the names of its options, which would repeat all of a long one. */
function shortened(question: string): string {
  const characters = Array.from(question);
  return characters.length > QUESTION_LENGTH
    ? `${characters.slice(0, QUESTION_LENGTH).join('')}…`
    : question;
}

/** Returns a name of its own: with the version, if a question reads like another one's option. */
function uniqueName(name: string, version: number, used: Set<string>): string {
  let unique = name;
  while (used.has(unique)) {
    unique += ` (version ${version})`;
  }
  used.add(unique);
  return unique;
}

type Writer = (cells: Cell[], value: Answer['value']) => void;

function optionsWriter(options: readonly string[], places: readonly number[]): Writer {
  return (cells, value) => {
    const chosen = new Set<unknown>([value].flat());
    places.forEach((place, index) => {
      cells[place] = Number(chosen.has(options[index]));
    });
  };
}

/** The columns of an image survey: one for each image, each pair, or the preferred image. */
export function imageColumns(
  format: SurveyFormat | null,
  { images }: Pick<ImageSurvey, 'images'>,
): AnswerColumns {
  const positions = images.map((_, index) => index + 1);
  const names =
    format === 'image_slider'
      ? positions.map((image) => `Image ${image}`)
      : format === 'round_robin'
        ? positions.flatMap((first) =>
            positions.slice(first).map((second) => `Image ${first} or ${second}`),
          )
        : ['Preferred image'];
  const nameOf = ({ image, images: pair }: Answer) =>
    image !== undefined
      ? `Image ${image}`
      : pair === undefined
        ? 'Preferred image'
        : `Image ${pair.join(' or ')}`;
  return {
    takeNames: () => names,
    cellsOf: (answers) => {
      const values = new Map(answers.map((answer) => [nameOf(answer), toCell(answer.value)]));
      return names.map((name) => values.get(name) ?? null);
    },
  };
}

function toCell(value: Answer['value']): Cell {
  if (Array.isArray(value)) {
    return value.join(', ');
  }
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
