import { AnswerContent, checkQuestion } from '../../campaigns/questions/answer-content.rules';
import { OWN_TEXT_MAXIMUM } from '../../campaigns/questions/answer-value.rules';
import { identitiesOf, optionsIn, otherOf } from '../../campaigns/questions/option.rules';
import {
  AnswerValue,
  ByType,
  callByType,
  MatrixQuestion,
  MatrixValue,
  Question,
} from '../../campaigns/questions/question.types';
import { Problem, problem } from '../../platform/validation/fields/field';
import { checkText } from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';

/** The fields of a form, by their names. Those of a question begin with its name, such as `q3`. */
export type Form = ReadonlyMap<string, readonly string[]>;

export function formOf(entries: Iterable<[string, string]>): Form {
  const form = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const values = form.get(name);
    if (values === undefined) {
      form.set(name, [value]);
    } else {
      values.push(value);
    }
  }
  return form;
}

/** The name of the fields of the question at a position, from 1. */
export const nameOf = (position: number) => `q${position}`;

/** The position of the question that a field belongs to; `undefined` if it belongs to none. */
export function positionOf(name: string): number | undefined {
  const [, digits] = /^q(\d{1,3})(?:\.|$)/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The fields of one question. Its parts are an option or a row, by its index, or a name. */
export class Fields {
  readonly name: string;
  private indexes: ReadonlyMap<string, number> | undefined;

  /** @param question with all of its options and rows, in the order in which they are shown */
  constructor(
    private readonly form: Form,
    position: number,
    private readonly question: Question,
  ) {
    this.name = nameOf(position);
  }

  /** The index of an option, or of a row of a matrix, also where others are not shown. */
  indexOf(identity: string): number {
    const { question } = this;
    const parts = question.type === 'matrix' ? question.rows : optionsIn(question);
    this.indexes ??= new Map(identitiesOf(parts).map((each, index) => [each, index]));
    return this.indexes.get(identity) ?? -1;
  }

  nameOf(part?: string | number): string {
    return part === undefined ? this.name : `${this.name}.${part}`;
  }

  /** The texts of a part as answers have them, without those that are empty. */
  texts(part?: string | number): string[] {
    return (this.form.get(this.nameOf(part)) ?? [])
      .map((text) => normalizeText(text.trim()))
      .filter((text) => text !== '');
  }

  text(part?: string | number): string | undefined {
    return this.texts(part)[0];
  }

  /** A number with a point or a comma; what is none stays a text, which no check accepts. */
  number(part?: string | number): number | string | undefined {
    const text = this.text(part);
    const value = Number(text?.replace(',', '.'));
    return text === undefined || Number.isNaN(value) ? text : value;
  }
}

/** Returns the answer to a question that a form holds; `undefined` if there is none. */
export function readAnswer(question: Question, fields: Fields): AnswerContent | undefined {
  const value = callByType(VALUES, question, fields);
  if (value === undefined) {
    return undefined;
  }
  const other = otherOf(question);
  const isOther = other !== undefined && [value].flat().includes(other);
  const comment = fields.text('comment');
  const ownText = fields.text('other');
  return {
    value,
    ...(isOther && ownText !== undefined ? { other: ownText } : {}),
    ...(comment === undefined ? {} : { comment }),
  };
}

const oneText = (_: unknown, fields: Fields) => fields.text();
const oneNumber = (_: unknown, fields: Fields) => fields.number();
const several = (fields: Fields, part?: number) => {
  const texts = fields.texts(part);
  return texts.length === 0 ? undefined : texts;
};

const VALUES: ByType<[fields: Fields], AnswerValue | undefined> = {
  descriptive: oneText,
  text: oneText,
  single_choice: oneText,
  multiple_choice: (_, fields) => several(fields),
  rating: oneNumber,
  nps: oneNumber,
  number: oneNumber,
  date: oneText,
  ranking: ({ options }, fields) => {
    const ranked = identitiesOf(options).flatMap((option) => {
      const rank = fields.number(fields.indexOf(option));
      return rank === undefined ? [] : [{ option, rank }];
    });
    const ranks = new Set(ranked.map(({ rank }) => rank));
    // Ranks that are no order are no array of options either.
    if (ranks.size < ranked.length || [...ranks].some((rank) => !Number.isInteger(rank))) {
      return [...ranks].join();
    }
    const order = ranked.toSorted((a, b) => Number(a.rank) - Number(b.rank));
    return order.length === 0 ? undefined : order.map(({ option }) => option);
  },
  matrix: (question, fields) => {
    const rows = identitiesOf(question.rows).flatMap((row) => {
      const cell = cellOf(question, fields, fields.indexOf(row));
      return cell === undefined ? [] : [[row, cell] as const];
    });
    return rows.length === 0 ? undefined : Object.fromEntries<MatrixValue[string]>(rows);
  },
  checkbox: ({ required }, fields) =>
    fields.text() !== undefined ? true : required === false ? undefined : false,
  statement: () => undefined,
};

function cellOf({ scale, several: isSeveral }: MatrixQuestion, fields: Fields, row: number) {
  if (scale !== undefined) {
    return fields.number(row);
  }
  return isSeveral === true ? several(fields, row) : fields.text(row);
}

/** Returns what is wrong with an answer to what is shown of a question. */
export function problemsOf(part: Question, answer: ReturnType<typeof readAnswer>): Problem[] {
  if (answer === undefined) {
    const isRequired = part.type !== 'statement' && part.required !== false;
    return isRequired ? problem('required', 'is required') : [];
  }
  const texts = (['other', 'comment'] as const).flatMap((name) =>
    answer[name] === undefined
      ? []
      : checkText(answer[name], OWN_TEXT_MAXIMUM).map((wrong) => ({ ...wrong, at: `.${name}` })),
  );
  return [...checkQuestion(part, part, answer), ...texts];
}
