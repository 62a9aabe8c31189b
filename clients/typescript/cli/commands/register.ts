import { CampaignClient } from 'campaign-service-client';
import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { addCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { ask } from '../secret.js';
import type { Session } from '../session.js';
import { requireAddress, storedLogin } from '../settings.js';
import { describeLogin, logIn } from './login.js';

/** The fewest characters of a password, and the most. */
const PASSWORD_LENGTH = { minimum: 12, maximum: 128 } as const;

interface RegisterOptions {
  name?: string;
  email?: string;
  live?: boolean;
  replace?: boolean;
}

const PASSWORD_ELSEWHERE = 'The password is CAMPAIGN_PASSWORD, or standard input.';

/** Adds `register`. */
export function addRegister(program: Command, session: Session): void {
  addCommand<RegisterOptions & { url?: string }>(
    program,
    session,
    'register',
    'Register a company, and log in with a key for its test data',
    (command) =>
      command
        .option('--url <url>', 'Address of the service')
        .option('--name <name>', 'Name of the company')
        .option('--email <email>', 'Email address of the account')
        .option('--live', 'Log in with a key for live data, which respondents see')
        .option('--replace', 'Replace the API key that is stored')
        .addHelpText(
          'after',
          '\nThe password, of 12 characters or more, is asked for twice. Without a terminal, it is' +
            '\nCAMPAIGN_PASSWORD or standard input, and --name and --email are required.',
        ),
    ({ url = session.identity.url, ...options }) => register(session, url, options),
  );
}

async function register(session: Session, url: string, given: RegisterOptions): Promise<void> {
  requireAddress(url);
  const stored = storedLogin(session.io.env);
  if (stored !== undefined && given.replace !== true) {
    throw new CommandError(
      `A key for ${describeLogin(stored)} is stored already.`,
      EXIT.refused,
      'Replace it with --replace, or remove it first: campaign logout. Both leave it valid.',
    );
  }
  const missing = (['name', 'email'] as const).filter((name) => given[name] === undefined);
  if (session.io.stdin.isTTY !== true && missing.length > 0) {
    throw new CommandError(
      `${missing.map((name) => `--${name}`).join(' and ')} must be given without a terminal.`,
      EXIT.usage,
      PASSWORD_ELSEWHERE,
    );
  }
  const name = given.name ?? (await ask(session, 'Name of the company: '));
  const email = given.email ?? (await ask(session, 'Email address: '));
  const password = await newPassword(session);
  const owner = new CampaignClient({ baseUrl: url, account: { email, password } });
  await owner.company.register({ name, email, password }, session.call);
  const mode = given.live === true ? 'live' : 'test';
  const { api_key } = await owner.keys.generate(
    { name: 'campaign command line', mode },
    session.call,
  );
  await logIn(session, url, api_key, false);
}

/** Reads a password that the service accepts; from a terminal, twice. */
async function newPassword(session: Session): Promise<string> {
  const { env, stdin } = session.io;
  const { minimum, maximum } = PASSWORD_LENGTH;
  const isTyped = !env.CAMPAIGN_PASSWORD && stdin.isTTY === true;
  const password =
    env.CAMPAIGN_PASSWORD ||
    (isTyped
      ? await ask(session, `Password (${minimum} characters or more): `, { isSecret: true })
      : (await text(stdin)).trim());
  if (password === '' && !isTyped) {
    throw new CommandError('The password is missing.', EXIT.usage, PASSWORD_ELSEWHERE);
  }
  // Characters as people count them, and the service.
  const { length } = [...password];
  if (length < minimum || length > maximum) {
    throw new CommandError(
      `The password must have ${minimum} to ${maximum} characters.`,
      EXIT.refused,
    );
  }
  if (isTyped && (await ask(session, 'The same again: ', { isSecret: true })) !== password) {
    throw new CommandError('The passwords differ.', EXIT.refused, 'Nothing was registered.');
  }
  return password;
}
