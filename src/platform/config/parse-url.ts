/**
 * Parses a URL as the WHATWG URL standard defines it.
 *
 * Never `URL.canParse`: in Node 20 and 22, once V8 has compiled its caller, it misreads text with
 * characters of Latin-1 outside ASCII.
 *
 * @returns `undefined` if the text is not an absolute URL
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
