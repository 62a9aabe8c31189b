/** Shorter texts are often equal by chance, as `I don't know` is; in letters and digits. */
export const TEXT_MINIMUM = 20;

/** How many characters of a text are compared. */
const COMPARED_CHARACTERS = 1_000;

/**
 * Returns a text as it is compared with others: its beginning, without the differences of capital
 * and small letters, punctuation, white space, and characters that mean the same.
 */
export function normalizedText(text: string): string {
  return text
    .slice(0, COMPARED_CHARACTERS)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the longest text, normalised; `null` if it is too short to be compared. */
export function comparableText(texts: readonly string[]): string | null {
  const lengthOf = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const longest = texts
    .map(normalizedText)
    .reduce((found, text) => (lengthOf(text) > lengthOf(found) ? text : found), '');
  return lengthOf(longest) >= TEXT_MINIMUM ? longest : null;
}
