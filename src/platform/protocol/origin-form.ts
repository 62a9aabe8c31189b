/**
 * The path and query of a request's target (RFC 9112, section 3.2), as `/path?query`. A target in
 * another form than a path or an address becomes a path that no route has. Nest would answer such
 * targets before any check of the pipeline.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) {
    return target;
  }
  const path = /^https?:\/\/[^/?#]+(\/.*)$/i.exec(target)?.[1];
  return path ?? `/${target}`;
}
