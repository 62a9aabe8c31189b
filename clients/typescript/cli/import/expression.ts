import { type Comparison, InexpressibleError } from './comparison.js';
import type { Expression } from './condition.js';
import type { Draft } from './draft.js';

/** A word of an expression. */
interface Token {
  kind: 'name' | 'text' | 'number' | 'word' | 'sign';
  text: string;
}

/** How a tool writes the names of questions. */
export interface Dialect {
  /** Matches a name at the beginning of a text; its first group is the name. */
  name: RegExp;
  /** What a function of a name, and perhaps a value, compares. */
  functions: Readonly<Record<string, (name: string, value: string | undefined) => Expression>>;
  /** What a name means, such as a row of a table or an option of a question. */
  refer?: (name: string, op: Comparison['op'], value: Comparison['value']) => Expression;
}

const TEXT = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/;
const NUMBER = /^-?\d+(?:\.\d+)?/;
const SIGN = /^(?:===?|!==?|<>|<=|>=|&&|\|\||[()=<>!,[\]])/;
const WORD = /^[\w.-]+/;

const OPERATORS: Readonly<Record<string, Comparison['op']>> = {
  '=': 'equal',
  '==': 'equal',
  '===': 'equal',
  eq: 'equal',
  equal: 'equal',
  '!=': 'unequal',
  '!==': 'unequal',
  '<>': 'unequal',
  ne: 'unequal',
  notequal: 'unequal',
  '>': 'above',
  gt: 'above',
  greater: 'above',
  '<': 'below',
  lt: 'below',
  less: 'below',
  '>=': 'least',
  ge: 'least',
  greaterorequal: 'least',
  '<=': 'most',
  le: 'most',
  lessorequal: 'most',
  contains: 'has',
  contain: 'has',
  notcontains: 'lacks',
  notcontain: 'lacks',
};

/** An order with its sides exchanged. */
const MIRRORED: Partial<Record<Comparison['op'], Comparison['op']>> = {
  ...{ above: 'below', below: 'above', least: 'most', most: 'least' },
};

function tokensOf(text: string, { name }: Dialect): Token[] {
  const tokens: Token[] = [];
  for (let rest = text.trim(); rest !== ''; rest = rest.trimStart()) {
    const patterns = { name, text: TEXT, number: NUMBER, sign: SIGN, word: WORD };
    const found = Object.entries(patterns)
      .map(([kind, pattern]) => [kind as Token['kind'], pattern.exec(rest)] as const)
      .find(([, match]) => match !== null);
    if (found === undefined) {
      throw new InexpressibleError(`“${rest.slice(0, 20)}” is not understood`);
    }
    const [kind, match] = found;
    const [whole = '', first, second] = match as RegExpExecArray;
    tokens.push({ kind, text: first ?? second ?? whole });
    rest = rest.slice(whole.length);
  }
  return tokens;
}

/**
 * Reads a condition such as `{age} >= 18 and {country} = 'de'`.
 *
 * @throws InexpressibleError if it is more than comparisons of answers with values
 */
export function parseExpression(text: string, dialect: Dialect): Expression {
  const tokens = tokensOf(text, dialect);
  let at = 0;
  const peek = () => tokens[at]?.text.toLowerCase() ?? '';
  const isAny = (...words: string[]) => tokens[at]?.kind !== 'text' && words.includes(peek());
  const unknown = (): never => {
    throw new InexpressibleError(`“${text}” does more than compare answers with values`);
  };
  const expect = (word: string) => {
    if (!isAny(word)) {
      unknown();
    }
    at += 1;
  };
  const refer = (name: string, op: Comparison['op'], value: Comparison['value']): Expression => {
    // An empty text stands for no answer.
    const isPresence = value === '' && (op === 'equal' || op === 'unequal');
    const presence = op === 'equal' ? 'none' : 'some';
    const [actual, compared] = isPresence
      ? ([presence, undefined] as const)
      : ([op, value] as const);
    return dialect.refer?.(name, actual, compared) ?? { name, op: actual, value: compared };
  };

  const series = (words: string[], kind: 'all' | 'any', inner: () => Expression): Expression => {
    const parts = [inner()];
    while (isAny(...words)) {
      at += 1;
      parts.push(inner());
    }
    return parts.length === 1
      ? (parts[0] as Expression)
      : ({ [kind]: parts } as unknown as Expression);
  };
  const either = (): Expression => series(['or', '||'], 'any', both);
  const both = (): Expression => series(['and', '&&'], 'all', single);
  const single = (): Expression => {
    if (isAny('not', '!')) {
      at += 1;
      return { not: single() };
    }
    if (isAny('(')) {
      at += 1;
      const inner = either();
      expect(')');
      return inner;
    }
    const token = tokens[at];
    if (token?.kind === 'word' && tokens[at + 1]?.text === '(') {
      return call(token.text.toLowerCase());
    }
    return comparison();
  };
  const call = (name: string): Expression => {
    const compare = dialect.functions[name] ?? unknown();
    at += 2;
    const question = tokens[at]?.kind === 'name' ? (tokens[at]?.text ?? '') : unknown();
    at += 1;
    let value: string | undefined;
    if (isAny(',')) {
      at += 1;
      value = tokens[at]?.text;
      at += 1;
    }
    expect(')');
    return compare(question, value);
  };
  const value = (): Comparison['value'] => {
    const token = tokens[at];
    at += 1;
    if (token?.kind === 'number') {
      return Number(token.text);
    }
    if (token?.kind === 'text') {
      return token.text;
    }
    const word = token?.text.toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : unknown();
  };
  const comparison = (): Expression => {
    if (tokens[at]?.kind !== 'name') {
      const mirrored = value();
      const op = operator();
      const name = tokens[at]?.kind === 'name' ? (tokens[at]?.text ?? '') : unknown();
      at += 1;
      return refer(name, MIRRORED[op] ?? op, mirrored);
    }
    const name = tokens[at]?.text ?? '';
    at += 1;
    if (isAny('empty', 'notempty')) {
      const op = peek() === 'empty' ? 'none' : 'some';
      at += 1;
      return refer(name, op, undefined);
    }
    if (isAny('anyof', 'allof')) {
      const kind = peek() === 'anyof' ? 'any' : 'all';
      at += 1;
      return { [kind]: list().map((each) => refer(name, 'has', each)) } as unknown as Expression;
    }
    const op = operator();
    const compared = isAny('[') ? list() : [value()];
    const parts = compared.map((each) => refer(name, op, each));
    return parts.length === 1 ? (parts[0] as Expression) : { all: parts };
  };
  const operator = (): Comparison['op'] => {
    const op = OPERATORS[peek()] ?? unknown();
    at += 1;
    return op;
  };
  const list = (): Comparison['value'][] => {
    expect('[');
    const values: Comparison['value'][] = [];
    while (!isAny(']')) {
      values.push(value());
      if (isAny(',')) {
        at += 1;
      } else if (!isAny(']')) {
        unknown();
      }
    }
    expect(']');
    return values;
  };

  const expression = either();
  return at === tokens.length ? expression : unknown();
}

/** Reads the condition of a question; one that cannot be expressed is lost. */
export function conditionsIn(
  draft: Draft,
  question: string,
  text: string | undefined,
  dialect: Dialect,
): Expression[] {
  if (text === undefined || text.trim() === '') {
    return [];
  }
  try {
    return [parseExpression(text, dialect)];
  } catch (error) {
    if (!(error instanceof InexpressibleError)) {
      throw error;
    }
    draft.loseCondition(question, error.message);
    return [];
  }
}
