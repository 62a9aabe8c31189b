import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether a response has begun on a connection and not ended. Node's own handler asks the same. */
export function isResponding(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}
