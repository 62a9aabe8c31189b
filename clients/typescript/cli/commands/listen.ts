import { type CampaignEvent, type EventType, signTestMessage } from 'campaign-service-client';
import type { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { addCommand, wholeNumber } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import type { Session } from '../session.js';

/** As long as a webhook waits. */
const TIMEOUT_MS = 15_000;

interface ListenOptions {
  forwardTo: string;
  types?: string;
  after?: number;
}

/** Adds `listen`. */
export function addListen(program: Command, session: Session): void {
  addCommand<ListenOptions>(
    program,
    session,
    'listen',
    'Send each new event to a URL of your own, signed as a webhook signs it',
    (command) =>
      command
        .requiredOption(
          '--forward-to <url>',
          'Where to send them, such as http://localhost:8080/hooks',
        )
        .option('--types <types>', 'Only these, separated by commas')
        .option('--after <number>', 'Begin after this event instead of now', wholeNumber)
        .addHelpText(
          'after',
          '\nNo webhook is registered: this program reads the feed. Each event is sent once.' +
            '\nThe secret is new in each run, unless CAMPAIGN_WEBHOOK_SECRET has one (whsec_…).',
        ),
    (options) => listen(session, options),
  );
}

async function listen(session: Session, { forwardTo, types, after }: ListenOptions): Promise<void> {
  if (!/^https?:\/\//.test(forwardTo)) {
    throw new CommandError('--forward-to must be an http or https URL.', EXIT.usage);
  }
  const { events } = session.client();
  const { signal, env } = session.io;
  const given = env.CAMPAIGN_WEBHOOK_SECRET;
  const secret = given || `whsec_${randomBytes(32).toString('base64')}`;
  const start = after ?? (await lastNumber(session));
  if (session.json) {
    session.print(JSON.stringify({ listening: { after: start, ...(!given && { secret }) } }));
  } else {
    session.print(
      given
        ? 'The secret is that of CAMPAIGN_WEBHOOK_SECRET.'
        : `Secret of the receiver: ${secret}`,
      `Sending events after ${start} to ${forwardTo}. Ctrl-C ends it.`,
    );
  }
  const wanted = types?.split(',') as EventType[] | undefined;
  for await (const event of events.follow({ types: wanted, after: start, signal })) {
    await forward(session, event, forwardTo, secret);
  }
}

/** The number of the company's last event. */
async function lastNumber(session: Session): Promise<number> {
  const { last_seq } = await session.client().events.list({ limit: 1 }, session.call);
  return last_seq;
}

async function forward(
  session: Session,
  event: CampaignEvent,
  url: string,
  secret: string,
): Promise<void> {
  const { body, headers } = await signTestMessage(event, secret);
  const startedAt = performance.now();
  const { status, error } = await post(session, url, body, headers);
  const ms = Math.round(performance.now() - startedAt);
  if (session.json) {
    const { seq, event_id, type } = event;
    session.print(JSON.stringify({ forwarded: { seq, event_id, type, status, ms, error } }));
    return;
  }
  const { green, red } = session.paint;
  const outcome = status === null ? red(String(error)) : (status < 300 ? green : red)(`${status}`);
  session.print(`${event.seq} ${event.type} ${outcome} ${ms} ms`);
}

async function post(session: Session, url: string, body: string, headers: Record<string, string>) {
  const signal = AbortSignal.any([session.io.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    // Like a webhook, it follows no redirect.
    const init: RequestInit = { method: 'POST', body, headers, redirect: 'manual', signal };
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string } };
    return { status: null, error: cause?.code ?? cause?.message ?? message };
  }
}
