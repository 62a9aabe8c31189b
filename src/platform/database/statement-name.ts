/** Statements that concern the session or its transaction, by their first words. */
const CONTROL =
  /^(START TRANSACTION|BEGIN|COMMIT|ROLLBACK TO SAVEPOINT|ROLLBACK|RELEASE SAVEPOINT|SAVEPOINT|SET)\b/i;

/** What follows `FROM` in these is an expression. */
const EXPRESSION =
  /\bextract\s*\(\s*\w+\s+FROM\b|\bDISTINCT\s+FROM\b|\bFOR(\s+NO KEY)?\s+UPDATE\b/gi;

const COMMON_TABLE = /(\w+)\s+AS\s+(?:(?:NOT\s+)?MATERIALIZED\s+)?\(/gi;

const CHANGE = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)/i;

const CALL = /^\s*SELECT\s+(\w+_\w+)\(\$1/i;

const SOURCE = /\b(?:FROM|JOIN)\s+"?(\w+)/gi;

/** Words that stand for no table. */
const NO_TABLE = /^(lateral|unnest|generate_series|jsonb?_\w+)$/i;

/**
 * Returns a short name for a statement: what it does, and the first table or function that it does
 * it with, such as `SELECT campaign`.
 */
export function statementName(text: string): string {
  const control = CONTROL.exec(text.trimStart())?.[1];
  if (control !== undefined) {
    return control.toUpperCase();
  }
  const plain = text.replace(EXPRESSION, ' ');
  const [, verb, changed] = CHANGE.exec(plain) ?? [];
  if (verb !== undefined && changed !== undefined) {
    return `${verb.slice(0, 6).toUpperCase()} ${changed}`;
  }
  const common = new Set([...plain.matchAll(COMMON_TABLE)].map(([, name]) => name));
  const firstSource = (part: string) =>
    [...part.matchAll(SOURCE)]
      .map(([, name = '']) => name)
      .find((name) => !common.has(name) && !NO_TABLE.test(name));
  const source = CALL.exec(plain)?.[1] ?? firstSource(outermost(plain)) ?? firstSource(plain);
  return source === undefined ? 'SELECT' : `SELECT ${source}`;
}

/** Returns a statement without what is in parentheses, such as its subqueries. */
function outermost(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, '#');
  return shorter === text ? text : outermost(shorter);
}
