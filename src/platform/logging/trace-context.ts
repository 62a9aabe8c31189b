/** W3C `traceparent`: version, trace id, parent id, flags; later versions may append fields. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

const ALL_ZEROS = /^0+$/;

/** The trace id of a `traceparent` header, if it is valid. */
export function traceIdOf(header: unknown): string | undefined {
  const [, version, traceId = '', parentId = '', rest] =
    typeof header === 'string' ? (TRACEPARENT.exec(header) ?? []) : [];
  const valid =
    version !== undefined &&
    version !== 'ff' &&
    !(version === '00' && rest !== undefined) &&
    !ALL_ZEROS.test(traceId) &&
    !ALL_ZEROS.test(parentId);
  return valid ? traceId : undefined;
}
