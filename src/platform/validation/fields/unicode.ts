/** Text without any of these characters is in Unicode's NFC already. */
const MAY_COMBINE = /[\u0300-\uffff]/;

/** UTF-16 units above which a text is too long for every field, in whatever form. */
const LENGTH_MAXIMUM = 40_000;

/**
 * Maximum number of combining marks in a row: that of Unicode's Stream-Safe Text Format (UAX #15).
 */
export const MARKS_MAXIMUM = 30;

const TOO_MANY_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MARKS_MAXIMUM + 1}}`, 'u');

const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text has more than {@link MARKS_MAXIMUM} combining marks in a row. */
export function hasTooManyMarks(text: string): boolean {
  return MAY_COMBINE.test(text) && TOO_MANY_MARKS.test(text);
}

/**
 * Returns a text in Unicode's NFC, in which texts that look alike and mean the same are equal. A
 * text with too many combining marks stays as it is, because sorting n of them takes n² steps, and
 * so does one that is too long in any form.
 */
export function toNfc(text: string): string {
  return text.length <= LENGTH_MAXIMUM && MAY_COMBINE.test(text) && !TOO_MANY_MARKS.test(text)
    ? text.normalize('NFC')
    : text;
}

/** The line breaks of other systems. */
const LINE_BREAK = /\r\n?/g;

/** The rarer line breaks of Unicode (UAX #14), which are stored as they are. */
const RARE_LINE_BREAK = /[\v\f\u0085\u2028\u2029]/g;

/**
 * Returns a text as it is stored and compared: in Unicode's NFC, and with `\n` for `\r\n` and `\r`.
 */
export function normalizeText(text: string): string {
  return toNfc(text.includes('\r') ? text.replace(LINE_BREAK, '\n') : text);
}

/** Matches anything but visible ASCII, single spaces and line breaks. */
const MAY_HIDE = /[^\n\x20-\x7e]| {2}/;

/**
 * Characters that nobody sees. A joiner shows between letters without case and in emoji, and tags
 * show in the flags of regions.
 */
const HIDDEN =
  /(?!\n|[\u{e0020}-\u{e007f}])(?!(?<=[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d][\p{Lo}\p{Extended_Pictographic}])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns what people see of a normalised text: the same of texts that look alike. */
export function visibleForm(text: string): string {
  return MAY_HIDE.test(text)
    ? toNfc(
        text
          .replaceAll('\t', ' ')
          .replace(RARE_LINE_BREAK, '\n')
          .replace(HIDDEN, '')
          .replace(/[^\S\n]+/g, ' ')
          .trim(),
      )
    : text;
}

/** Whether a text shows anything: not only white space, control, format or ignorable characters. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
