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

/** Whether a text shows anything: not only white space, control, format or ignorable characters. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
