import type { Question } from 'campaign-service-client';

/** What a condition of another tool compares, before the question that it names is looked up. */
export interface Comparison {
  /** The question's name there. */
  name: string;
  /** A row of it, if it is a table. */
  row?: string | undefined;
  op:
    'equal' | 'unequal' | 'has' | 'lacks' | 'above' | 'below' | 'least' | 'most' | 'some' | 'none';
  value?: string | number | boolean | undefined;
}

/** Why a condition cannot be expressed here. */
export class InexpressibleError extends Error {}

/** A condition here, and a group of them. */
export type Condition = { question: string; row?: string; op: string; value?: unknown };
export type Group = { all: Node[] } | { any: Node[] };
export type Node = Condition | Group;

/** A question that conditions can name: its key here, and the keys of its values and rows. */
export interface Source {
  key: string;
  type: Question['type'];
  /** Keys of options, by their values there. */
  options: ReadonlyMap<string, string>;
  rows: ReadonlyMap<string, string>;
  /** Whether every respondent answers it. */
  isAlwaysAnswered: boolean;
  /** What the cells of a table are. */
  cells?: 'single_choice' | 'multiple_choice' | 'rating';
}

/** Compares the answer to a question as its type allows. */
export function compare(source: Source, { name, row, op, value }: Comparison): Node {
  const { key, cells } = source;
  const rowKey = row === undefined ? undefined : source.rows.get(row);
  if (row !== undefined && rowKey === undefined) {
    throw new InexpressibleError(`${name} has no row ${row}`);
  }
  const at = { question: key, ...(rowKey !== undefined && { row: rowKey }) };
  const type = rowKey === undefined ? source.type : cells;
  if (op === 'some' || op === 'none') {
    return { ...at, op: op === 'some' ? 'answered' : 'not_answered' };
  }
  switch (type) {
    case 'single_choice': {
      const equals = op === 'equal' || op === 'has';
      if (equals || op === 'unequal' || op === 'lacks') {
        return { ...at, op: equals ? 'is' : 'is_not', value: optionOf(source, name, value) };
      }
      break;
    }
    case 'multiple_choice':
    case 'ranking': {
      const has = op === 'equal' || op === 'has';
      if (has || op === 'unequal' || op === 'lacks') {
        return { ...at, op: has ? 'includes' : 'excludes', value: optionOf(source, name, value) };
      }
      break;
    }
    case 'checkbox':
      if (op === 'equal' || op === 'unequal') {
        const isTrue =
          value === true || ['true', '1', 'yes', 'ok'].includes(String(value).toLowerCase());
        return { ...at, op: op === 'equal' ? 'is' : 'is_not', value: isTrue };
      }
      break;
    case 'rating':
    case 'nps':
    case 'number':
    case 'date':
      return ordered(at, op, type === 'date' ? String(value) : numberOf(name, value));
  }
  throw new InexpressibleError(`answers to ${name}, a ${type}, cannot be compared so`);
}

function ordered(at: { question: string }, op: Comparison['op'], value: string | number): Node {
  switch (op) {
    case 'equal':
      return { ...at, op: 'is', value };
    case 'unequal':
      return { ...at, op: 'is_not', value };
    case 'least':
      return { ...at, op: 'at_least', value };
    case 'most':
      return { ...at, op: 'at_most', value };
    case 'above':
      return {
        all: [
          { ...at, op: 'at_least', value },
          { ...at, op: 'is_not', value },
        ],
      };
    case 'below':
      return {
        all: [
          { ...at, op: 'at_most', value },
          { ...at, op: 'is_not', value },
        ],
      };
    default:
      throw new InexpressibleError('a number has no parts');
  }
}

function optionOf({ options }: Source, name: string, value: unknown): string {
  const key = options.get(String(value));
  if (key === undefined) {
    throw new InexpressibleError(`${name} has no option ${String(value)}`);
  }
  return key;
}

function numberOf(name: string, value: unknown): number {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) {
    throw new InexpressibleError(`${name} is a number, and ${String(value)} is none`);
  }
  return number;
}
