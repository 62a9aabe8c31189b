import type { Output } from './session.js';

type Paint = (text: string) => string;

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Painter = Readonly<Record<keyof typeof STYLES, Paint>>;

/** Colors for a stream, if it is a terminal and NO_COLOR is not set. */
export function painter(
  stream: Output,
  env: Readonly<Record<string, string | undefined>>,
): Painter {
  const isColored = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const entries = Object.entries(STYLES).map(([name, code]): [string, Paint] => [
    name,
    (text) => (isColored && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text),
  ]);
  return Object.fromEntries(entries) as unknown as Painter;
}

/** Lines of columns that are as wide as their widest cell. Numbers stand at the right. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = [head, ...rows.map((row) => row.map(cellOf))];
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const isNumber = head.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
        return isNumber[column] === true ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Lines of names and values. Undefined values are left out. */
export function pairs(entries: Readonly<Record<string, unknown>>): string[] {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  const width = Math.max(...given.map(([name]) => widthOf(name)));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`);
}

/** Lines within others. */
export function indented(lines: readonly string[], width = 2): string[] {
  return lines.map((line) => `${' '.repeat(width)}${line}`.trimEnd());
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') {
    return '–';
  }
  if (typeof value === 'number') {
    return number(value);
  }
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A text as one line, without characters that a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
}

/** Cuts a text to a width. */
export function cut(text: string, width: number): string {
  const line = oneLine(text);
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

/** Characters of East Asian scripts and emoji take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/gu;

function widthOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0);
}

/** A number with separators, such as 1,234.5. */
export function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** An amount with its currency, such as 1,234.50 USD. */
export function money(amount: number | null, currency: string): string {
  if (amount === null) {
    return 'unlimited';
  }
  const digits = Number.isInteger(amount) ? 0 : 2;
  const text = amount.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: 2,
  });
  return `${text} ${currency}`;
}

/** A share such as 42 %, or a dash if there is none. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(0)} %`;
}

/** A bar whose length is a share of the width. */
export function bar(share: number | null, width = 20): string {
  return '█'.repeat(Math.round((share ?? 0) * width)).padEnd(width);
}

export function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}
