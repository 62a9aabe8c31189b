import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { EXIT } from './exit-codes.js';
import { CommandError } from './failure.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the service listens if nothing else is said. */
const DEFAULT_URL = 'http://127.0.0.1:3000';

/** What `campaign login` stores. */
export interface Login {
  url: string;
  api_key: string;
}

/** Who calls which service. */
export interface Identity {
  url: string;
  /** Undefined if nobody has logged in. */
  apiKey: string | undefined;
  /** Where the key comes from. */
  source: 'CAMPAIGN_API_KEY' | 'login' | undefined;
}

/** The folder of the system for the settings of programs. */
export function settingsFolder(env: Environment): string {
  const home = env.HOME ?? homedir();
  if (env.XDG_CONFIG_HOME) {
    return join(env.XDG_CONFIG_HOME, 'campaign');
  }
  switch (process.platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'campaign');
    case 'win32':
      return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'campaign');
    default:
      return join(home, '.config', 'campaign');
  }
}

const loginFile = (env: Environment) => join(settingsFolder(env), 'login.json');

/** Writes a file that only this user can read, so that it is there as a whole or not at all. */
export function writePrivately(folder: string, name: string, content: object): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const file = join(folder, name);
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, file);
  return file;
}

/** Reads a file of JSON; undefined if it is not there. */
export function readPrivate<T>(file: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CommandError(`${file} is damaged.`, EXIT.failed, `Remove it: rm '${file}'`);
  }
}

export function storeLogin(env: Environment, login: Login): string {
  return writePrivately(settingsFolder(env), 'login.json', login);
}

/** What is stored; undefined if nobody has logged in. */
export function storedLogin(env: Environment): Login | undefined {
  return readPrivate<Login>(loginFile(env));
}

/** Returns whether there was a login. */
export function removeLogin(env: Environment): boolean {
  const file = loginFile(env);
  const existed = storedLogin(env) !== undefined;
  rmSync(file, { force: true });
  return existed;
}

/** Whether other users of the machine can read the stored key. */
export function isLoginExposed(env: Environment): boolean {
  if (process.platform === 'win32') {
    return false;
  }
  const stored = statSync(loginFile(env), { throwIfNoEntry: false });
  return stored !== undefined && (stored.mode & 0o077) !== 0;
}

/**
 * The service and the key. The environment wins; the stored key is sent to no other address than
 * the one for which it was stored.
 */
export function identityOf(env: Environment): Identity {
  const stored = storedLogin(env);
  const url = env.CAMPAIGN_URL || stored?.url || DEFAULT_URL;
  requireAddress(url);
  if (env.CAMPAIGN_API_KEY) {
    return { url, apiKey: env.CAMPAIGN_API_KEY, source: 'CAMPAIGN_API_KEY' };
  }
  return stored !== undefined && sameAddress(stored.url, url)
    ? { url, apiKey: stored.api_key, source: 'login' }
    : { url, apiKey: undefined, source: undefined };
}

/** @throws CommandError if a text is no address of a service */
export function requireAddress(url: string): void {
  try {
    if (/^https?:$/.test(new URL(url).protocol)) {
      return;
    }
  } catch {
    // It is no URL at all.
  }
  throw new CommandError(
    `${url} is no address of a service.`,
    EXIT.usage,
    `Example: ${DEFAULT_URL}`,
  );
}

function sameAddress(one: string, other: string): boolean {
  const plain = (url: string) => url.replace(/\/+$/, '');
  return plain(one) === plain(other);
}
