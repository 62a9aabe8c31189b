/**
 * Assignments that move times of a row into the past, for an UPDATE. In one, a cluster refuses to
 * subtract an interval from a time with a time zone.
 *
 * @param by an interval in SQL
 */
export const earlier = (by: string, ...columns: string[]): string =>
  columns
    .map((column) => `${column} = (${column} AT TIME ZONE 'UTC' - ${by}) AT TIME ZONE 'UTC'`)
    .join(', ');
