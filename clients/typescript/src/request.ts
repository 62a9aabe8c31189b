/** Values of headers by name; `undefined` leaves one out. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * The path and query of a request.
 *
 * @throws TypeError if a part of the path is missing, or would lead to another path
 */
export function targetOf(template: string, parameters: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(parameters));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values.get(name) ?? '');
    if (/^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name} must not be ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(given(query)).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** @throws TypeError if an identifier is empty */
export function refuseEmptyIds(fields: object = {}): void {
  for (const [name, value] of Object.entries(fields)) {
    if (name.endsWith('_id') && value === '') {
      throw new TypeError(`${name} must not be ""`);
    }
  }
}

/**
 * The headers of a request; later ones replace earlier ones of the same name.
 *
 * @throws TypeError if a value cannot stand in a header
 */
export function headersOf(...sources: (HeaderValues | Headers)[]): Headers {
  const headers = new Headers();
  for (const source of sources) {
    for (const [name, value] of source instanceof Headers ? source : given(source)) {
      headers.set(name, value);
    }
  }
  return headers;
}

/** The entries that have a value. */
function given(values: object): [name: string, value: string][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
}

/** Browsers offer `randomUUID` on HTTPS pages only. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
