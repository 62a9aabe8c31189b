import {
  type ReceiptKey,
  ReceiptVerificationError,
  SettlementVerificationError,
  verifyReceipt,
  verifySettlement,
} from 'campaign-service-client';
import type { Command } from 'commander';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { verify as verifyArchive } from '../archive/verify.js';
import { addCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { readChunks, readObject, readText } from '../files.js';
import type { Session } from '../session.js';
import { money, pairs, plural } from '../text.js';

const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Adds `verify receipt`, `verify settlement`, `verify export` and `verify archive`. */
export function addVerify(program: Command, session: Session): void {
  const verify = program
    .command('verify')
    .description('Check that a receipt, settlement, export or archive is genuine and complete');
  const withKeys = (command: Command) =>
    command.option('--keys <file>', 'The public keys, as campaign api getReceiptKeys prints them');

  addCommand<{ keys?: string }>(
    verify,
    session,
    'receipt <receipt>',
    'Check the signature of a receipt: the text itself, a file with it, or - for standard input',
    withKeys,
    async (options, receipt = '') => {
      const signed = await signedText(session, receipt, 'receipt');
      const keys = await keysOf(session, options.keys);
      const stated = await verifyReceipt(signed, keys).catch(refuse);
      session.result(stated, () => [
        session.paint.green('The receipt is genuine.'),
        ...pairs({
          Participation: stated.participation_id,
          Campaign: stated.post_id,
          Data: stated.mode,
          Cohort: stated.cohort,
          Reward: money(stated.reward, stated.currency),
          Bonus: stated.bonus === undefined ? undefined : money(stated.bonus, stated.currency),
          Submitted: timeOf(stated.iat),
        }),
      ]);
    },
  );

  addCommand<{ keys?: string }>(
    verify,
    session,
    'settlement <statement> <file>',
    'Check the statement of a settlement, and that the file with its payments is the one it states',
    withKeys,
    async (options, statement = '', file = '') => {
      const signed = await signedText(session, statement, 'statement');
      const keys = await keysOf(session, options.keys);
      const stated = await verifySettlement(signed, readChunks(session, file), keys).catch(refuse);
      session.result(stated, () => [
        session.paint.green('The settlement and its file are genuine.'),
        ...pairs({
          Settlement: stated.settlement_id,
          Platform: stated.platform,
          Data: stated.mode,
          Payments: stated.payments,
          Net: money(stated.net, stated.currency),
          Closed: timeOf(stated.iat),
        }),
      ]);
    },
  );

  addCommand(
    verify,
    session,
    'export <file>',
    'Check that an export in NDJSON is complete and unchanged, by its last line',
    (command) =>
      command.addHelpText(
        'after',
        '\nThe last line has a hash and no signature: it shows damage, not forgery.' +
          '\nA CSV has no such line.',
      ),
    async (_, file = '') => {
      const found = await readExport(session, file);
      session.result(found, () => [
        session.paint.green(`The export is complete: ${plural(found.count, 'response')}.`),
      ]);
    },
  );

  addCommand(
    verify,
    session,
    'archive <folder>',
    'Check every file of an archive against its manifests, as the operator does',
    (command) => command,
    async (_, folder = '') => {
      const path = resolve(session.io.cwd, folder);
      if (!existsSync(path)) {
        throw new CommandError(`${folder} is not there.`, EXIT.refused);
      }
      const found = await verifyArchive(path);
      session.exitCode = found.problems.length === 0 ? EXIT.done : EXIT.notGenuine;
      session.result(found, () => [
        ...found.problems.map((problem) => `${session.paint.red('✗')} ${problem}`),
        `${plural(found.rows, 'row')} in ${plural(found.files, 'file')} of ${found.companies} companies. ` +
          `Problems: ${found.problems.length}.`,
        `Digest: ${found.digest}`,
      ]);
    },
  );
}

const timeOf = (seconds: number) => new Date(seconds * 1_000).toISOString();

function refuse(error: unknown): never {
  const isKnown =
    error instanceof ReceiptVerificationError || error instanceof SettlementVerificationError;
  throw isKnown ? new CommandError(`Not genuine: ${error.message}.`, EXIT.notGenuine) : error;
}

/** A signed text: itself, or in a file, alone or as a field of JSON. */
async function signedText(session: Session, given: string, field: string): Promise<string> {
  if (JWS.test(given)) {
    return given;
  }
  const text = (await readText(session, given)).trim();
  if (JWS.test(text)) {
    return text;
  }
  const signed = fieldIn(text, field);
  if (typeof signed !== 'string' || !JWS.test(signed)) {
    throw new CommandError(`${given} has no ${field}.`, EXIT.notGenuine);
  }
  return signed;
}

/** The field of an object, or of the settlement in it, as the service returns one. */
function fieldIn(text: string, field: string): unknown {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const inner = value.settlement as Record<string, unknown> | undefined;
    return value[field] ?? inner?.[field];
  } catch {
    return undefined;
  }
}

async function keysOf(
  session: Session,
  file: string | undefined,
): Promise<{ keys: readonly ReceiptKey[] }> {
  const { keys } =
    file === undefined
      ? await session
          .anonymous()
          .request<{ keys: ReceiptKey[] }>('GET', '/svc/fielding/receipt-keys', {
            ...session.call,
            credential: null,
          })
      : await readObject<{ keys?: ReceiptKey[] }>(session, file);
  if (!Array.isArray(keys)) {
    throw new CommandError(`${file} has no keys.`, EXIT.refused, 'campaign api getReceiptKeys');
  }
  return { keys };
}

interface ExportEnd {
  covers: { from: number; to: number };
  count: number;
  sha256: string;
}

/** @throws CommandError if the last line does not account for all lines before it */
async function readExport(session: Session, file: string): Promise<ExportEnd> {
  const hash = createHash('sha256');
  let rows = 0;
  let line = Buffer.alloc(0);
  for await (const chunk of readChunks(session, file)) {
    const text = Buffer.concat([line, chunk]);
    // The last line is not part of what its hash is about, so one line is always held back.
    const end = text.lastIndexOf(10, text.length - 2) + 1;
    hash.update(text.subarray(0, end));
    rows += text.subarray(0, end).reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
    line = text.subarray(end);
  }
  const stated = endOf(line);
  if (stated === undefined) {
    const reason = `${file} does not end with the last line of an export: it is cut, or a CSV.`;
    throw new CommandError(reason, EXIT.notGenuine, 'Export it again: campaign export --force.');
  }
  if (stated.count !== rows || stated.sha256 !== hash.digest('hex')) {
    throw new CommandError(`${file} does not have what its last line states.`, EXIT.notGenuine);
  }
  return stated;
}

function endOf(line: Buffer): ExportEnd | undefined {
  try {
    const value = JSON.parse(line.toString('utf8')) as Partial<ExportEnd>;
    const isEnd = line.at(-1) === 10 && typeof value.sha256 === 'string' && value.covers;
    return isEnd ? (value as ExportEnd) : undefined;
  } catch {
    return undefined;
  }
}
