/**
 * Returns the first of these encodings that an `Accept-Encoding` allows (RFC 9110, 12.5.3);
 * `undefined` if it allows none of them.
 */
export function acceptedEncoding<Encoding extends string>(
  header: string | string[] | undefined,
  offered: readonly Encoding[],
): Encoding | undefined {
  const accepted = new Map(
    [header ?? []]
      .flat()
      .join(',')
      .split(',')
      .map((part) => {
        const [name = '', quality = '1'] = part.split(/ *; *q=/i);
        return [name.trim().toLowerCase(), Number(quality)];
      }),
  );
  return offered.find((encoding) => (accepted.get(encoding) ?? accepted.get('*') ?? 0) > 0);
}
