/** What a cursor says, as whoever takes it apart would find it. */
export function takeApart(cursor: string): { after: string[]; list: string } {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
}

/** A cursor as whoever makes one up would send it. */
export function madeUp(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/**
 * Cursors that no list answered, made from one that it did: damaged, of other JSON, and with the
 * right list but a sort key of other kinds, lengths and sizes.
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
