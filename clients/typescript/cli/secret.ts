import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { EXIT } from './exit-codes.js';
import { CommandError } from './failure.js';
import type { Session } from './session.js';

/** Asks for a line, on a terminal. What is typed is shown unless it is secret. */
export async function ask(
  { io }: Session,
  question: string,
  { isSecret = false }: { isSecret?: boolean } = {},
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? silent : io.stderr;
  const terminal = createInterface({ input: io.stdin, output, terminal: true });
  if (isSecret) {
    io.stderr.write(question);
  }
  const stop = new AbortController();
  // In raw mode, Ctrl-C is a key.
  terminal.on('SIGINT', () => stop.abort());
  const aborted = AbortSignal.any([io.signal, stop.signal]);
  try {
    return (await terminal.question(isSecret ? '' : question, { signal: aborted })).trim();
  } catch (error) {
    throw aborted.aborted ? new CommandError('Interrupted.', EXIT.interrupted) : error;
  } finally {
    terminal.close();
    if (isSecret) {
      io.stderr.write('\n');
    }
  }
}

/** Reads a secret: from the terminal without showing it, or all of standard input. */
export async function readSecret(session: Session, question: string): Promise<string> {
  const { stdin } = session.io;
  const secret =
    stdin.isTTY === true
      ? await ask(session, question, { isSecret: true })
      : (await text(stdin)).trim();
  if (secret === '') {
    throw new CommandError('Nothing was entered.', EXIT.usage);
  }
  return secret;
}
