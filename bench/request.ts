/** A request to send. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

export const JSON_TYPE = { 'content-type': 'application/json' };

/** A request with a key and a body. */
export function send(method: string, path: string, key: string, body: object): Request {
  return { method, path, headers: { ...JSON_TYPE, 'x-api-key': key }, body };
}
