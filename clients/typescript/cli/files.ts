import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { EXIT, type ExitCode } from './exit-codes.js';
import { CommandError } from './failure.js';
import type { Session } from './session.js';

/** Reads a file, or standard input for `-`. */
export async function readBytes({ io }: Session, file: string): Promise<Buffer> {
  if (file === '-') {
    return buffer(io.stdin);
  }
  try {
    return await readFile(resolve(io.cwd, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Reads a file in chunks. */
export async function* readChunks({ io }: Session, file: string): AsyncGenerator<Buffer> {
  try {
    yield* file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

export async function readText(session: Session, file: string): Promise<string> {
  return (await readBytes(session, file)).toString('utf8').replace(/^\ufeff/, '');
}

/** Reads a JSON object. */
export async function readObject<T extends object>(session: Session, file: string): Promise<T> {
  return parseObject(await readText(session, file), file === '-' ? 'Standard input' : file);
}

export function parseObject<T extends object>(
  text: string,
  name: string,
  exitCode: ExitCode = EXIT.refused,
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${name} is not JSON: ${(error as Error).message}`, exitCode);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`${name} is not a JSON object.`, exitCode);
  }
  return value as T;
}

function unreadable(file: string, error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
  const next = file === 'campaign.json' ? 'Write an example: campaign init.' : undefined;
  return new CommandError(`${file} ${reason}.`, EXIT.refused, next);
}

/** @throws CommandError if the file is there, and must not be replaced */
export function refuseExisting({ io }: Session, file: string, force = false): void {
  if (!force && file !== '-' && existsSync(resolve(io.cwd, file))) {
    throw new CommandError(`${file} exists.`, EXIT.refused, 'Replace it with --force.');
  }
}

/**
 * Writes chunks to a file, or to standard output for `-`. The file gets its name when all of it has
 * been written; if that fails or is interrupted, nothing is left.
 */
export async function writeWhole(
  { io }: Session,
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  if (file === '-') {
    for await (const chunk of chunks) {
      if (!io.stdout.write(chunk)) {
        await new Promise((resume) => io.stdout.once('drain', resume));
      }
    }
    return;
  }
  const target = resolve(io.cwd, file);
  const name = `.${basename(target)}.${randomBytes(6).toString('hex')}.part`;
  const temporary = join(dirname(target), name);
  const handle = await open(temporary, 'wx').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be written (${error.code}).`, EXIT.failed);
  });
  try {
    try {
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
