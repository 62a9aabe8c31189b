import type { SurveyFormat } from '../../campaigns/campaign/campaign.types';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { Question } from '../../campaigns/questions/question.types';
import type { Answer } from '../../campaigns/questions/answer.rules';
import {
  Cell,
  columnsOfQuestion,
  HiddenParts,
  NOT_SHOWN,
  QuestionColumn,
  Reading,
  toCell,
} from './question-columns.rules';

/** The columns of what a campaign asks. */
export interface AnswerColumns {
  /**
   * Returns the names, readable and unique, once: those of many options take more memory than all
   * else that an export holds while its client reads.
   */
  takeNames: () => string[];
  /**
   * The cells of a response, one for each name.
   *
   * @param notShown the positions of the questions that were not shown
   * @param hidden what was not shown of others
   */
  cellsOf: (
    answers: readonly Answer[],
    version: number | null,
    notShown: readonly number[],
    hidden?: readonly HiddenOf[],
  ) => Cell[];
}

/** What of a question was not shown. */
export interface HiddenOf extends HiddenParts {
  question: number;
}

type Column = Pick<QuestionColumn, 'cell'> & { place: number };

/**
 * The columns of question sets, as {@link columnsOfQuestion} has them. A question that stands at
 * the same place in several sets has the same columns. A place that has no answer is empty.
 *
 * A set can have tens of thousands of options, so questions are added one by one, in turns.
 */
export class QuestionColumns implements AnswerColumns {
  /** How many columns there are. */
  count = 0;
  private readonly names: string[] = [];
  private readonly used = new Set<string>();
  /** The places of the columns of each numbered question, by what they are about. */
  private readonly places = new Map<string, Map<string | undefined, number>>();
  /** The columns of each question of a set. */
  private readonly columns = new Map<number, Column[][]>();

  /** Adds the next question of a set. */
  add(version: number, asked: Question): void {
    const columns = this.columns.get(version) ?? [];
    this.columns.set(version, columns);
    const position = columns.length + 1;
    const numbered = `${position}. ${asked.question}`;
    const known = this.places.get(numbered) ?? new Map<string | undefined, number>();
    this.places.set(numbered, known);
    columns.push(
      columnsOfQuestion(asked, position).map((column) => {
        const place = known.get(column.about) ?? this.count;
        if (place === this.count) {
          known.set(column.about, place);
          this.names.push(uniqueName(column.name, version, this.used));
          this.count += 1;
        }
        // Without the names, which take the most memory.
        return { place, cell: column.cell };
      }),
    );
  }

  takeNames(): string[] {
    this.used.clear();
    this.places.clear();
    return this.names.splice(0);
  }

  cellsOf(
    answers: readonly Answer[],
    version: number | null,
    notShown: readonly number[] = [],
    hidden: readonly HiddenOf[] = [],
  ): Cell[] {
    const cells = Array.from<Cell>({ length: this.count }).fill(null);
    const columns = this.columns.get(version ?? 0) ?? [];
    for (const answer of answers) {
      const parts = hidden.find(({ question }) => question === answer.question);
      const read = new Reading(answer, parts);
      for (const { place, cell } of columns[(answer.question ?? 0) - 1] ?? []) {
        cells[place] = cell(read);
      }
    }
    for (const { place } of notShown.flatMap((position) => columns[position - 1] ?? [])) {
      cells[place] = NOT_SHOWN;
    }
    return cells;
  }
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
