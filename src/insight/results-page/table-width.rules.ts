/*
 * How wide the columns of a table are, in characters: it is made before anybody knows on what.
 */

/** What paper has room for beside the names of the rows. */
const PAPER_WIDTH = 66;

/** What a phone has room for. */
export const PHONE_WIDTH = 40;

/** The space between two columns, and the narrowest column. */
const GAP = 2;
const NARROWEST = 4;

/** A share such as 100.0%, and the space around it. */
const SHARE = 8;

/** Longer words are broken. */
const WORD_MAXIMUM = 20;

/** What a line can be broken between: spaces, and the letters of scripts that have none. */
const BREAK = /[\s\u200b]|(?<=[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}])/u;

/** Lets a line break within words that are too long for a column. */
export const breakable = (text: string): string =>
  text.replaceAll(new RegExp(`\\S{${WORD_MAXIMUM}}(?=\\S)`, 'g'), '$&\u200b');

/** The width that a column needs: that of its longest word. What is no text is a share. */
export function widthOf(texts: readonly unknown[]): number {
  const widths = texts.flatMap((text) =>
    typeof text === 'string'
      ? breakable(text)
          .split(BREAK)
          .map((word) => word.length)
      : [typeof text === 'object' ? SHARE : NARROWEST],
  );
  return GAP + widths.reduce((widest, width) => Math.max(widest, width), NARROWEST);
}

/** Columns from `start` to before `end`. */
interface Part {
  start: number;
  end: number;
  width: number;
}

/** Divides columns into parts that paper has room for, each of one column at least. */
export function partsOf(widths: readonly number[]): Part[] {
  const parts: Part[] = [];
  for (const [index, width] of widths.entries()) {
    const last = parts.at(-1);
    if (last !== undefined && last.width + width <= PAPER_WIDTH) {
      last.end = index + 1;
      last.width += width;
    } else {
      parts.push({ start: index, end: index + 1, width });
    }
  }
  return parts;
}
