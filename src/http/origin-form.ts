/** Node reads each byte of a target as one character. */
const NOT_ASCII = /[\x80-\xff]/g;

const percentEncoded = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The path and query of a request's target (RFC 9112, section 3.2), as `/path?query`. A target in
 * another form than a path or an address becomes a path that no route has. Nest would answer such
 * targets before any check of the pipeline. Bytes outside ASCII are percent-encoded, so that they are
 * read as UTF-8 like others.
 */
export function originForm(raw: string): string {
  const target = raw.replace(NOT_ASCII, percentEncoded);
  if (target.startsWith('/')) {
    return target;
  }
  const path = /^https?:\/\/[^/?#]+(\/.*)$/i.exec(target)?.[1];
  return path ?? `/${target}`;
}
