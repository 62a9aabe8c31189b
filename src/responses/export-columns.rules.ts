import type { SurveyFormat } from '../campaign/campaign.types';
import type { ImageSurvey } from '../campaign/image-survey.rules';
import type { Question } from '../questions/question.rules';
import type { Answer } from '../fielding/answer.rules';

/** A cell: text, a number, or nothing. */
export type Cell = string | number | null;

/** The columns of what a campaign asks. */
export interface AnswerColumns {
  /** Readable and unique. */
  names: readonly string[];
  /** The cells of a response, one for each name. */
  cellsOf: (answers: readonly Answer[], version: number | null) => Cell[];
}

/** A question set of a campaign. */
interface VersionedQuestions {
  version: number;
  questions: readonly Question[];
}

/**
 * The columns of question sets: one for each question, and one for each option of a multiple
 * choice, with 1 if it was chosen and 0 if not. A question that stands at the same place in several
 * sets has one column. A place that has no answer is empty.
 */
export function questionColumns(sets: readonly VersionedQuestions[]): AnswerColumns {
  const places = new Map<string, number>();
  const names: string[] = [];
  const used = new Set<string>();
  const placeOf = (version: number, position: number, question: string, option?: string) => {
    const key = JSON.stringify([position, question, option]);
    const place = places.get(key) ?? places.size;
    if (place === places.size) {
      const name = `${position}. ${question}${option === undefined ? '' : ` [${option}]`}`;
      places.set(key, place);
      names.push(uniqueName(name, version, used));
    }
    return place;
  };
  const writers = new Map(
    sets.map(({ version, questions }) => [
      version,
      questions.map((question, index) =>
        writerOf(question, placeOf.bind(null, version, index + 1)),
      ),
    ]),
  );
  return {
    names,
    cellsOf: (answers, version) => {
      const cells = Array.from<Cell>({ length: places.size }).fill(null);
      const write = version === null ? undefined : writers.get(version);
      for (const { question = 0, value } of answers) {
        write?.[question - 1]?.(cells, value);
      }
      return cells;
    },
  };
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

function writerOf(
  { type, question, options = [] }: Question,
  placeOf: (question: string, option?: string) => number,
): Writer {
  if (type !== 'multiple_choice') {
    const place = placeOf(question);
    return (cells, value) => {
      cells[place] = toCell(value);
    };
  }
  const places = options.map((option) => [option, placeOf(question, option)] as const);
  return (cells, value) => {
    // Options of sets that were stored earlier need not be in NFC, as values are.
    const chosen = new Set([value].flat());
    for (const [option, place] of places) {
      cells[place] = Number(chosen.has(option) || chosen.has(option.normalize('NFC')));
    }
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
    names,
    cellsOf: (answers) => {
      const values = new Map(answers.map((answer) => [nameOf(answer), toCell(answer.value)]));
      return names.map((name) => values.get(name) ?? null);
    },
  };
}

const toCell = (value: Answer['value']): Cell => (Array.isArray(value) ? value.join(', ') : value);
