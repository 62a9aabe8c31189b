import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What the service replies to a command with its arguments. */
export type Reply = { output: string } | { error: string };

/** Milliseconds without a byte after which either side gives up. */
export const IDLE_LIMIT = 10_000;

/** Milliseconds between two blanks that precede the reply while the service works. */
export const BLANK_INTERVAL = 2_000;

/** The socket in a data directory, which only the user of the service can reach. */
export function socketPath(dataDirectory: string): string {
  return join(dataDirectory, 'operator.sock');
}

/**
 * Lets the service that uses a data directory run a command.
 *
 * @param request the operator's directory, the name of the command and its arguments
 * @returns `undefined` if no service listens there
 */
export async function askService(
  dataDirectory: string,
  request: readonly string[],
): Promise<Reply | undefined> {
  const socket = connect({ path: socketPath(dataDirectory), allowHalfOpen: true });
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.setTimeout(IDLE_LIMIT, () => socket.destroy(new Error('The service does not respond.')));
  socket.end(JSON.stringify(request));
  const reply = await text(socket);
  return reply.trim() === ''
    ? { error: 'The service ended the connection without a reply. See its log.' }
    : (JSON.parse(reply) as Reply);
}
