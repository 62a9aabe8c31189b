import type { CursorStore } from 'campaign-service-client';
import { join } from 'node:path';
import { homedir } from 'node:os';
import { sha256 } from './files.js';
import type { Session } from './session.js';
import { readPrivate, settingsFolder, writePrivately } from './settings.js';

/** Where readers of the feed are stored: beside the login, or where the system keeps such state. */
function stateFolder({ io: { env } }: Session): string {
  const isUnix = process.platform !== 'darwin' && process.platform !== 'win32';
  const state = env.XDG_STATE_HOME ?? join(env.HOME ?? homedir(), '.local', 'state');
  return isUnix ? join(state, 'campaign') : settingsFolder(env);
}

/**
 * Keeps the position of a reader. Numbers of events belong to a company and its kind of data, so
 * each key has positions of its own, and so has each set of filters.
 */
export function positionOf(session: Session, name: string, filters: object): CursorStore {
  const { url, apiKey = '' } = session.identity;
  const reader = sha256(JSON.stringify([url, apiKey, name, filters])).slice(0, 24);
  const folder = stateFolder(session);
  const file = `position-${reader}.json`;
  return {
    load: () => readPrivate<{ after: number }>(join(folder, file))?.after,
    save: (after) => void writePrivately(folder, file, { after }),
  };
}
