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
        const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
        const quality = parameters.find((text) => text.startsWith('q='))?.slice('q='.length);
        return [name, Number(quality ?? 1)];
      }),
  );
  return offered.find((encoding) => (accepted.get(encoding) ?? accepted.get('*') ?? 0) > 0);
}
