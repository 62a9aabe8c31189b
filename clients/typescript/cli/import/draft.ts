import type { CampaignDocument, Question } from 'campaign-service-client';
import { InexpressibleError, type Source } from './comparison.js';
import { type Expression, showIfOf, type ShowIf } from './condition.js';
import { plainText } from './plain-text.js';

const QUESTION_LENGTH = 1_000;
const OPTION_LENGTH = 500;
const SECTION_LENGTH = 200;
const KEY_LENGTH = 40;
const QUESTIONS_MAXIMUM = 300;

/** Something that the document does not have. */
export interface Loss {
  /** The name of the question there; `null` for the questionnaire. */
  question: string | null;
  what: string;
}

/** An option or a row of another tool. */
export interface Choice {
  value: string;
  text: string;
  other?: boolean;
  exclusive?: boolean;
}

/** A question of another tool, of a type of this service. */
export interface Asked {
  name: string;
  text: string;
  type: Question['type'];
  required?: boolean | undefined;
  options?: readonly Choice[];
  rows?: readonly Choice[];
  /** When it is shown; all of these hold. */
  conditions?: readonly Expression[];
  /** Other fields of the question here. */
  fields?: Readonly<Record<string, unknown>>;
  /** What answers to the cells of a matrix are. */
  cells?: Source['cells'];
}

/** What is the same for a question whatever its type. */
export type Common = Pick<Asked, 'name' | 'text' | 'required' | 'conditions'>;

/** Collects the questions of a document, and what it cannot have. */
export class Draft {
  readonly losses: Loss[] = [];
  readonly #questions: Record<string, unknown>[] = [];
  readonly #sources = new Map<string, Source>();
  readonly #keys = new Set<string>();
  #section: string | undefined;

  lose(question: string | null, what: string): void {
    if (!this.losses.some((loss) => loss.question === question && loss.what === what)) {
      this.losses.push({ question, what });
    }
  }

  /** Loses the condition of a question, which is always shown then. */
  loseCondition(question: string, why: string): void {
    this.lose(question, `the condition under which it is shown: ${why}. It is always shown`);
  }

  /** Begins a section, and returns the title of the one before; an empty title ends that. */
  section(title: string): string {
    const before = this.#section ?? '';
    const text = cutTo(plainText(title), SECTION_LENGTH);
    this.#section = text === '' ? undefined : text;
    return before;
  }

  add(given: Asked): void {
    const asked = withSingleBox(given);
    const { name, type, fields, required } = asked;
    if (hasTooFew(asked)) {
      this.lose(name, 'the question: it has too few options or rows');
      return;
    }
    const text = plainText(asked.text) || name;
    const show_if = this.#showIf(asked);
    const common = {
      ...(this.#section !== undefined && { section: this.#section }),
      ...(show_if && { show_if }),
    };
    const pieces = split(text, QUESTION_LENGTH);
    pieces.slice(0, -1).forEach((piece, index) => {
      const key = this.#key(`${name}_text_${index + 1}`);
      this.#questions.push({ key, type: 'statement', question: piece, ...common });
    });
    const key = this.#key(name);
    const options = asked.options && this.#choices(name, asked.options, type);
    const rows = asked.rows && this.#choices(name, asked.rows, 'matrix');
    this.#questions.push({
      key,
      type,
      question: pieces.at(-1),
      ...common,
      ...(type !== 'statement' && required !== true && { required: false }),
      ...(options && { options: options.list }),
      ...(rows && { rows: rows.list }),
      ...fields,
    });
    this.#sources.set(name, {
      key,
      type,
      options: options?.keys ?? new Map<string, string>(),
      rows: rows?.keys ?? new Map<string, string>(),
      isAlwaysAnswered: required === true && show_if === undefined,
      ...(asked.cells && { cells: asked.cells }),
    });
  }

  /** The document with everything that was added. */
  document(title: string, description: string): CampaignDocument {
    const name = plainText(title) || 'Imported questionnaire';
    if (this.#questions.length > QUESTIONS_MAXIMUM) {
      this.lose(null, `it has more than ${QUESTIONS_MAXIMUM} questions: split it`);
    }
    return {
      external_ref: keyOf(name).replaceAll('_', '-'),
      type: 'survey',
      title: cutTo(name, 200),
      description: cutTo(plainText(description) || name, 5_000),
      category: 'survey',
      tagline: cutTo(name, 200),
      questions: this.#questions as unknown as CampaignDocument['questions'] & object,
    };
  }

  #showIf({ name, conditions = [] }: Asked): ShowIf | undefined {
    if (conditions.length === 0) {
      return undefined;
    }
    try {
      return showIfOf({ all: conditions }, (each) => this.#sources.get(each));
    } catch (error) {
      if (!(error instanceof InexpressibleError)) {
        throw error;
      }
      this.loseCondition(name, error.message);
      return undefined;
    }
  }

  /** Options or rows, and their keys by their values there. */
  #choices(name: string, choices: readonly Choice[], type: Question['type']) {
    const keys = new Map<string, string>();
    const taken = new Set<string>();
    let hasOther = type !== 'single_choice' && type !== 'multiple_choice';
    const list = choices.map(({ value, text, other, exclusive }) => {
      const full = plainText(text) || value;
      if (full.length > OPTION_LENGTH) {
        this.lose(name, `the end of option ${value}, after ${OPTION_LENGTH} characters`);
      }
      if (other === true && hasOther) {
        this.lose(
          name,
          `the text of one's own beside option ${value}: ask it in a question after it`,
        );
      }
      const isOther = other === true && !hasOther;
      hasOther ||= isOther;
      const key = unique(keyOf(value), taken);
      keys.set(value, key);
      return {
        key,
        text: cutTo(full, OPTION_LENGTH),
        ...(isOther && { other }),
        ...(exclusive === true && type === 'multiple_choice' && { exclusive }),
      };
    });
    return { keys, list };
  }

  #key(name: string): string {
    return unique(keyOf(name), this.#keys);
  }
}

/** A list of boxes with one entry is a box here. */
function withSingleBox(asked: Asked): Asked {
  const [option, ...more] = asked.options ?? [];
  if (asked.type !== 'multiple_choice' || option === undefined || more.length > 0) {
    return asked;
  }
  const { options: _, fields: _fields, ...rest } = asked;
  return { ...rest, type: 'checkbox', text: `${asked.text} ${option.text}` };
}

function hasTooFew({ type, options, rows = [], fields = {} }: Asked): boolean {
  const isTable = type === 'matrix';
  const isChoice = ['single_choice', 'multiple_choice', 'ranking'].includes(type);
  const needsOptions = isChoice || (isTable && !('scale' in fields));
  return (needsOptions && (options ?? []).length < 2) || (isTable && rows.length < 1);
}

/** A name as a key: `firstName` becomes `first_name`. */
export function keyOf(name: string): string {
  const key = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, KEY_LENGTH);
  return key === '' ? 'x' : key;
}

function unique(key: string, taken: Set<string>): string {
  let found = key;
  for (let count = 2; taken.has(found); count += 1) {
    const suffix = `_${count}`;
    found = key.slice(0, KEY_LENGTH - suffix.length) + suffix;
  }
  taken.add(found);
  return found;
}

export function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Splits a text at spaces into pieces of at most a length. */
function split(text: string, length: number): string[] {
  if (text.length <= length) {
    return [text];
  }
  const at = text.lastIndexOf(' ', length);
  const end = at > 0 ? at : length;
  return [text.slice(0, end).trim(), ...split(text.slice(end).trim(), length)];
}
