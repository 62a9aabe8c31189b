import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Fields, JOURNEY, LAST_CAMPAIGN, Step } from './demo-journey';

/*
 * `npm run demo`: a client's whole way through real HTTP, against a service on a throwaway
 * directory. `npm run demo -- --url http://127.0.0.1:3000` takes it through a running one.
 */

interface Answer {
  message?: string;
  data?: Fields | null;
  error?: { code?: string; details?: { message: string }[] };
}

/** Milliseconds to wait for an answer. */
const PATIENCE = 10_000;

const coloured = process.stdout.isTTY && process.stdout.hasColors();
const [GREEN, RED, CYAN] = [32, 31, 36];

function paint(colour: number | undefined, text: string): string {
  return coloured ? `\u001b[${colour ?? 0}m${text}\u001b[0m` : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** JSON in one short line. Long texts are cut, so that no secret is shown whole. */
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
 * Sends a request and shows it with its answer.
 *
 * @param known everything that earlier answers said
 * @returns the answer's data
 * @throws if there is no answer, or not the one there should be
 */
async function take(step: Step, url: string, known: Fields): Promise<Fields> {
  const [method = '', path = ''] = step.request.split(' ');
  const body = step.body.post_id === LAST_CAMPAIGN ? { post_id: known.post_id } : {};
  const sent = { ...step.body, ...body };
  print(`${paint(CYAN, step.request)} ${brief(sent)}`);

  const response = await fetch(url + path, {
    method,
    headers: headers(step, known),
    body: JSON.stringify(sent),
    signal: AbortSignal.timeout(PATIENCE),
  }).catch((error: unknown) => {
    throw new Error(`no answer from ${url}`, { cause: error });
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
    throw new Error(`${step.request} should have answered ${wanted}`);
  }
  return data ?? {};
}

async function travel(url: string): Promise<void> {
  print(`The journey of a campaign, at ${url}`);
  let known: Fields = {};
  for (const step of JOURNEY) {
    known = { ...known, ...(await take(step, url, known)) };
  }
  print(`All ${JOURNEY.length} answers were as they should be.`);
}

/** The address in the first log line that has one. */
async function addressOf(service: ChildProcess): Promise<string> {
  if (service.stdout === null) {
    throw new Error('the service was started without its log');
  }
  for await (const line of createInterface({ input: service.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url !== undefined) {
      service.stdout.resume();
      return url;
    }
  }
  throw new Error('the service did not start');
}

/** Does something with a service of its own, which is gone afterwards, whatever happens. */
async function withService(work: (url: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'campaign-demo-'));
  // Nothing of this shell's environment and no .env file: the demo touches no other database.
  const service = spawn(process.execPath, [join(__dirname, '../src/main.js')], {
    cwd: directory,
    env: { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'info', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(service, 'exit');
  const stop = () => service.kill('SIGTERM');
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(await addressOf(service));
  } finally {
    stop();
    await gone;
    await rm(directory, { recursive: true });
  }
}

async function demo(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' } } });
  if (values.url === undefined) {
    await withService(travel);
  } else {
    await travel(values.url.replace(/\/+$/, ''));
  }
}

demo().catch((error: unknown) => {
  process.stderr.write(
    `The demo failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
