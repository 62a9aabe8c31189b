import { CampaignClient, isCode } from 'campaign-service-client';
import type { Command } from 'commander';
import { addCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { readSecret } from '../secret.js';
import type { Session } from '../session.js';
import {
  isLoginExposed,
  type Login,
  removeLogin,
  requireAddress,
  settingsFolder,
  storedLogin,
  storeLogin,
} from '../settings.js';
import { pairs } from '../text.js';

const KEY = /^csk_/;

/** Adds `login`, `logout` and `status`. */
export function addLogin(program: Command, session: Session): void {
  addCommand<{ url?: string; check: boolean }>(
    program,
    session,
    'login',
    'Store the address of the service and an API key',
    (command) =>
      command
        .option('--url <url>', 'Address of the service; by default CAMPAIGN_URL or the one before')
        .option('--no-check', 'Store the key without asking the service')
        .addHelpText(
          'after',
          '\nThe key is asked for without showing it, or read from CAMPAIGN_API_KEY or standard input:' +
            '\n  campaign login --url https://campaigns.example.com < key.txt',
        ),
    async ({ url = session.identity.url, check }) => {
      const key = session.io.env.CAMPAIGN_API_KEY || (await readSecret(session, 'API key: '));
      await logIn(session, url, key, check);
    },
  );

  addCommand(
    program,
    session,
    'logout',
    'Remove the stored API key; it stays valid',
    (command) => command,
    () => {
      const removed = removeLogin(session.io.env);
      session.result({ removed }, () => [removed ? 'Logged out.' : 'Nobody was logged in.']);
    },
  );

  addCommand(
    program,
    session,
    'status',
    'Show which service and key are used, and whether they work',
    (command) => command.alias('whoami'),
    () => status(session),
  );
}

/** Whether the service accepts a key. A key without the scope for this call is accepted too. */
async function isAccepted(client: CampaignClient, session: Session): Promise<boolean> {
  try {
    await client.campaigns.list({ limit: 1 }, session.call);
    return true;
  } catch (error) {
    if (isCode(error, 'insufficient_scope')) {
      return true;
    }
    if (isCode(error, 'api_key_invalid', 'api_key_expired', 'api_key_revoked')) {
      return false;
    }
    throw error;
  }
}

/** Which data and service a login is for. */
export const describeLogin = ({ url, api_key }: Login) => `${modeOf(api_key)} data of ${url}`;

const modeOf = (key: string) => (key.startsWith('csk_test_') ? 'test' : 'live');

/** Stores a key and the address it is for, after the service has accepted it. */
export async function logIn(
  session: Session,
  url: string,
  key: string,
  check: boolean,
): Promise<void> {
  requireAddress(url);
  if (/^http:\/\/(?!(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/.test(url)) {
    session.note(`Warning: ${url} is not encrypted. Others on the way can read your key.`);
  }
  if (!KEY.test(key)) {
    throw new CommandError(
      'This is no API key of a company: they begin with csk_.',
      EXIT.refused,
      'Your account generates one: campaign api generateApiKey, or campaign register.',
    );
  }
  const client = new CampaignClient({ baseUrl: url, apiKey: key });
  if (check && !(await isAccepted(client, session))) {
    throw new CommandError(`${url} does not accept the key.`, EXIT.credential);
  }
  const { env } = session.io;
  const before = storedLogin(env);
  const replaced = before !== undefined && before.api_key !== key;
  const file = storeLogin(env, { url, api_key: key });
  session.result({ url, mode: modeOf(key), file, replaced }, () => [
    `Logged in to ${url} for ${modeOf(key)} data.`,
    ...(replaced ? [`This replaces the key for ${describeLogin(before)}.`] : []),
    session.paint.dim(`The key is stored in ${file}, which only you can read.`),
  ]);
  session.next('campaign init writes an example to campaign.json.');
}

async function status(session: Session): Promise<void> {
  const { url, apiKey, source } = session.identity;
  const { env } = session.io;
  const accepted = apiKey === undefined ? null : await isAccepted(session.client(), session);
  const isExposed = source === 'login' && isLoginExposed(env);
  const company = env.CAMPAIGN_TOKEN ? await session.account().company.me(session.call) : null;
  const found = {
    url,
    mode: apiKey === undefined ? null : modeOf(apiKey),
    key_from: source ?? null,
    key_accepted: accepted,
    company,
  };
  session.result(found, () =>
    pairs({
      Service: url,
      Key: apiKey === undefined ? 'none' : `for ${modeOf(apiKey)} data, from ${keySource(session)}`,
      Accepted: accepted === null ? undefined : accepted ? 'yes' : 'no',
      Company: company === null ? undefined : `${company.name} (${company.company_id})`,
    }),
  );
  if (isExposed) {
    const file = `${settingsFolder(env)}/login.json`;
    session.note(`Warning: other users can read your key. Run: chmod 600 '${file}'`);
  }
  if (accepted !== true) {
    session.exitCode = EXIT.credential;
    session.next('campaign login stores an API key; without an account: campaign register.');
  }
}

function keySource(session: Session): string {
  const { source } = session.identity;
  return source === 'login' ? 'campaign login' : String(source);
}
