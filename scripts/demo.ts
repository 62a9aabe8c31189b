import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Fields, JOURNEY, LAST_CAMPAIGN, LAST_PARTICIPATION, RECEIVER, Step } from './demo-journey';
import { withService } from './throwaway-service';
import { Receiver } from './webhook-receiver';
import { errorMessage } from '../src/platform/logging/error-message';

/*
 * `npm run demo`: a client's journey over HTTP, against a service on a throwaway directory.
 * `npm run demo -- --url http://127.0.0.1:3000` uses a running service instead, without
 * a receiver of events.
 */

interface Answer {
  message?: string;
  data?: Fields | null;
  error?: { code?: string; details?: { message: string }[] };
}

/** Milliseconds to wait for a response. */
const TIMEOUT = 10_000;

const coloured = process.stdout.isTTY && process.stdout.hasColors();
const [GREEN, RED, CYAN] = [32, 31, 36];

function paint(colour: number | undefined, text: string): string {
  return coloured ? `\u001b[${colour ?? 0}m${text}\u001b[0m` : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** JSON in one short line. Long strings are truncated, so that no secret is shown in full. */
function brief(value: unknown): string {
  const text = JSON.stringify(value, (name, member: unknown) =>
    name !== 'password' && (typeof member !== 'string' || member.length <= 26)
      ? member
      : `${String(member).slice(0, name === 'password' ? 0 : 12)}…`,
  );
  return text.length > 150 ? `${text.slice(0, 149)}…` : text;
}

function headers(step: Step, known: Fields): Record<string, string> {
  const json = { 'content-type': 'application/json' };
  switch (step.as) {
    case 'anyone':
      return json;
    case 'account':
      return { ...json, authorization: `Bearer ${String(known.access_token)}` };
    default:
      return { ...json, 'x-api-key': String(known.api_key) };
  }
}

/**
 * Sends a request and prints it with its response.
 *
 * @param known the data of all earlier responses
 * @returns the response's data
 * @throws if there is no response or an unexpected one
 */
async function take(step: Step, url: string, known: Fields): Promise<Fields> {
  const request = step.request.replace(LAST_CAMPAIGN, String(known.post_id));
  const [method = '', path = ''] = request.split(' ');
  const values = new Map<unknown, unknown>([
    [LAST_CAMPAIGN, known.post_id],
    [LAST_PARTICIPATION, known.participation_id],
    [RECEIVER, known.receiver],
  ]);
  const sent =
    step.body &&
    Object.fromEntries(
      Object.entries(step.body).map(([name, value]) => [name, values.get(value) ?? value]),
    );
  print(`${paint(CYAN, request)}${sent === undefined ? '' : ` ${brief(sent)}`}`);

  const response = await fetch(url + path, {
    method,
    headers: headers(step, known),
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch((error: unknown) => {
    throw new Error(`no response from ${url}`, { cause: error });
  });
  const { message, data, error } = (await response.json().catch(() => ({}))) as Answer;

  const { show = [], expect = {} } = step;
  const right =
    response.ok === (step.error === undefined) &&
    error?.code === step.error &&
    show.every((name) => data?.[name] !== undefined) &&
    Object.entries(expect).every(([name, value]) => isDeepStrictEqual(data?.[name], value));
  const seen = [...show, ...Object.keys(expect)].map((name) => [name, data?.[name]] as const);
  const interesting =
    error === undefined
      ? brief(Object.fromEntries(seen))
      : (error.details ?? []).map((detail) => detail.message).join(' ');
  const outcome = `${response.status} ${error?.code ?? message ?? ''}`;
  print(`    ${paint(right ? GREEN : RED, outcome)} ${interesting}`);
  if (!right) {
    const wanted =
      step.error ?? brief({ ...Object.fromEntries(show.map((s) => [s, '…'])), ...expect });
    throw new Error(`${step.request} should have returned ${wanted}`);
  }
  return data ?? {};
}

/** Waits for an event, verifies it with the webhook's secret and prints it. */
async function receive(receiver: Receiver, type: string, known: Fields): Promise<void> {
  print(`${paint(CYAN, 'Received at')} ${receiver.url}`);
  const message = await receiver.next(String(known.secret), TIMEOUT);
  const { seq, subject, changes } = message.data;
  const right = message.type === type && subject === known.post_id;
  print(
    `    ${paint(right ? GREEN : RED, `${message.type}, signature verified`)} ${brief({ seq, subject, changes })}`,
  );
  if (!right) {
    throw new Error(`the receiver should have got ${type}`);
  }
}

/** @param receiver one that the service can reach; without it, the journey has no webhook */
async function travel(url: string, receiver?: Receiver): Promise<void> {
  print(`The journey of a campaign, at ${url}`);
  const steps = JOURNEY.filter(
    ({ needsReceiver }) => needsReceiver !== true || receiver !== undefined,
  );
  let known: Fields = { receiver: receiver?.url };
  for (const step of steps) {
    known = { ...known, ...(await take(step, url, known)) };
    if (receiver !== undefined && step.event !== undefined) {
      await receive(receiver, step.event, known);
    }
  }
  print(`All ${steps.length} responses were as expected.`);
  print(`The results of the advertisement: ${String(known.url)}`);
}

/** Lets the service run while somebody at a terminal looks at the results. */
async function waitForEnter(): Promise<void> {
  if (!process.stdin.isTTY) {
    return;
  }
  print('Press Enter to stop the service and to remove its data.');
  const lines = createInterface({ input: process.stdin });
  await Promise.race([once(lines, 'line'), once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  lines.close();
}

/** Takes the journey with a receiver of events on this machine, and waits for a look at its end. */
async function travelWithReceiver(url: string): Promise<void> {
  const receiver = await Receiver.start();
  try {
    await travel(url, receiver);
  } finally {
    receiver.stop();
  }
  await waitForEnter();
}

async function demo(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' } } });
  if (values.url === undefined) {
    await withService(travelWithReceiver);
  } else {
    await travel(values.url.replace(/\/+$/, ''));
  }
}

demo().catch((error: unknown) => {
  process.stderr.write(`The demo failed: ${errorMessage(error)}\n`);
  process.exitCode = 1;
});
