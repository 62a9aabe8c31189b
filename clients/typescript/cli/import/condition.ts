import type { Question } from 'campaign-service-client';
import {
  compare,
  type Comparison,
  type Condition,
  type Group,
  InexpressibleError,
  type Node,
  type Source,
} from './comparison.js';

export type ShowIf = NonNullable<Question['show_if']>;

/** A condition of another tool. */
export type Expression =
  | { all: readonly Expression[] }
  | { any: readonly Expression[] }
  | { not: Expression }
  | Comparison;

export type Lookup = (name: string) => Source | undefined;

const CONDITIONS_MAXIMUM = 50;

const OPPOSITE: Readonly<Record<string, Comparison['op']>> = {
  equal: 'unequal',
  unequal: 'equal',
  has: 'lacks',
  lacks: 'has',
  some: 'none',
  none: 'some',
};

/**
 * Returns the conditions under which a question is shown here.
 *
 * @throws InexpressibleError saying why that is not possible
 */
export function showIfOf(expression: Expression, lookup: Lookup): ShowIf {
  const node = flat(resolve(withoutNot(expression, false, lookup), lookup));
  const group: Group = 'op' in node ? { all: [node] } : node;
  const shallow = depthOf(group) <= 2 ? group : anyOfAll(group);
  if (leavesOf(shallow).length > CONDITIONS_MAXIMUM) {
    throw new InexpressibleError(`it needs more than ${CONDITIONS_MAXIMUM} conditions`);
  }
  return shallow as unknown as ShowIf;
}

/** Moves negations to the comparisons. */
function withoutNot(expression: Expression, negated: boolean, lookup: Lookup): Expression {
  if ('not' in expression) {
    return withoutNot(expression.not, !negated, lookup);
  }
  if ('all' in expression || 'any' in expression) {
    const parts = 'all' in expression ? expression.all : expression.any;
    const inner = parts.map((part) => withoutNot(part, negated, lookup));
    return 'all' in expression !== negated ? { all: inner } : { any: inner };
  }
  if (!negated) {
    return expression;
  }
  const { name, row, op } = expression;
  const opposite = OPPOSITE[op];
  if (opposite !== undefined) {
    return { ...expression, op: opposite };
  }
  const turned = { above: 'most', least: 'below', below: 'least', most: 'above' } as const;
  const opposed: Expression = { ...expression, op: turned[op as keyof typeof turned] };
  // An order does not hold without an answer, so its opposite does.
  return lookup(name)?.isAlwaysAnswered === true
    ? opposed
    : { any: [{ name, row, op: 'none' }, opposed] };
}

function resolve(expression: Expression, lookup: Lookup): Node {
  if ('not' in expression) {
    throw new Error('negations are gone');
  }
  if ('all' in expression) {
    return { all: expression.all.map((part) => resolve(part, lookup)) };
  }
  if ('any' in expression) {
    return { any: expression.any.map((part) => resolve(part, lookup)) };
  }
  const source = lookup(expression.name);
  if (source === undefined) {
    throw new InexpressibleError(`it names ${expression.name}, which is no earlier question`);
  }
  return compare(source, expression);
}

const partsOf = (group: Group): Node[] => ('all' in group ? group.all : group.any);

/** Merges groups of the same kind, and those with a single part. */
function flat(node: Node): Node {
  if ('op' in node) {
    return node;
  }
  const kind = 'all' in node ? 'all' : 'any';
  const parts = partsOf(node)
    .map(flat)
    .flatMap((part) => (kind in part ? partsOf(part as Group) : [part]));
  return parts.length === 1 ? (parts[0] as Node) : ({ [kind]: parts } as Group);
}

function depthOf(node: Node): number {
  return 'op' in node ? 0 : 1 + Math.max(0, ...partsOf(node).map(depthOf));
}

function leavesOf(node: Node): Condition[] {
  return 'op' in node ? [node] : partsOf(node).flatMap(leavesOf);
}

/** The same condition as an “or” of “ands”. */
function anyOfAll(node: Node): Group {
  const any = termsOf(node)
    .filter(isPossible)
    .map((conditions): Node =>
      conditions.length === 1 ? (conditions[0] as Condition) : { all: conditions },
    );
  return { any };
}

/** Whether no question is to have an answer and none. */
function isPossible(conditions: readonly Condition[]): boolean {
  const needsAnswer = (op: string) => !['not_answered', 'is_not', 'excludes'].includes(op);
  const missing = conditions.filter(({ op }) => op === 'not_answered');
  return !missing.some(({ question, row }) =>
    conditions.some(
      (each) => each.question === question && each.row === row && needsAnswer(each.op),
    ),
  );
}

function termsOf(node: Node): Condition[][] {
  if ('op' in node) {
    return [[node]];
  }
  if ('any' in node) {
    return node.any.flatMap(termsOf);
  }
  return node.all.map(termsOf).reduce<Condition[][]>(
    (terms, more) => {
      if (terms.length * more.length > CONDITIONS_MAXIMUM) {
        throw new InexpressibleError('its conditions are nested too deeply');
      }
      return terms.flatMap((one) => more.map((other) => [...one, ...other]));
    },
    [[]],
  );
}
