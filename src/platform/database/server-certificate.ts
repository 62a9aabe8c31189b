import { TLSSocket } from 'node:tls';

let end: number | undefined;

/** Notes when the certificate ends that the server has shown on a new connection. */
export function noteCertificate(stream: unknown): void {
  const { valid_to: until } = stream instanceof TLSSocket ? stream.getPeerCertificate() : {};
  end = until === undefined ? undefined : Date.parse(until);
}

/** When the certificate of the database ends, as `Date.now()`; `undefined` without TLS. */
export function certificateEnd(): number | undefined {
  return end;
}
