/** `{{key}}`: an earlier answer in the text of a question. */
const PIPE = /\{\{([a-z0-9_]{1,40})\}\}/g;

/** Returns the keys of the answers that a text shows, each once. */
export function keysIn(text: string): string[] {
  return text.includes('{{')
    ? [...new Set(Array.from(text.matchAll(PIPE), ([, key = '']) => key))]
    : [];
}

/**
 * Returns a text with the answers that it shows. Keys that the function returns nothing for stay as
 * they are.
 */
export function fillIn(text: string, answerOf: (key: string) => string | undefined): string {
  return text.replaceAll(PIPE, (pipe, key: string) => answerOf(key) ?? pipe);
}
