/** The literals of a language. */
export interface Syntax {
  indentation: number;
  key: (name: string) => string;
  text: (text: string) => string;
  words: Readonly<Record<string, string>>;
}

export const JAVASCRIPT: Syntax = {
  indentation: 2,
  key: (name) => name,
  text: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  words: { true: 'true', false: 'false', null: 'null' },
};

export const PYTHON: Syntax = {
  indentation: 4,
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
};

/** Formats a JSON value as a literal of a language. */
export function literal(value: unknown, syntax: Syntax): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, syntax));
    return block('[', items, ']', syntax);
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${syntax.key(name)}: ${literal(member, syntax)}`,
    );
    return block('{', members, '}', syntax);
  }
  return typeof value === 'string'
    ? syntax.text(value)
    : (syntax.words[String(value)] ?? String(value));
}

function block(open: string, lines: string[], close: string, { indentation }: Syntax): string {
  return lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `${indent(line, indentation)},`).join('\n')}\n${close}`;
}

export function indent(text: string, width = 2): string {
  return text.replaceAll(/^/gm, ' '.repeat(width));
}
