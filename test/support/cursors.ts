/** Decodes a cursor. */
export function takeApart(cursor: string): { after: string[]; list: string } {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
}

/** Encodes a forged cursor. */
export function madeUp(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/**
 * Returns cursors that no list returned, derived from one that a list did return: damaged, of other
 * JSON, and of the right list but with a sort key of other types, lengths and sizes.
 */
export function forgedCursors(genuine: string): string[] {
  const { after, list } = takeApart(genuine);
  const identifier = 'post_01k9x2v8zdf3xbz0q4v5rk6t7m';
  const sortKeys: unknown[] = [
    [],
    [...after, '1'],
    after.map(() => identifier),
    ...[identifier, '-1', '1.5', '1e3', 'NaN', '', ' 1', "1'--", '9'.repeat(19)].map((last) => [
      ...after.slice(0, -1),
      last,
    ]),
    after.map(Number),
    after.map(() => null),
    after.map((part) => [part]),
    'text',
    null,
    { 0: '1', length: after.length },
  ];
  return [
    'nonsense',
    'null',
    '!!!',
    '0',
    '%00',
    genuine.slice(0, -8),
    `${genuine.slice(0, 4)}xxxx${genuine.slice(8)}`,
    ...[null, 1, 'text', [], {}, { after }, { list }, { after, list: null }].map(madeUp),
    ...sortKeys.map((key) => madeUp({ after: key, list })),
  ];
}
