import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { OperatorCommand, OperatorWork } from '../../platform/operator/operator.types';
import { archive, ArchiveRun } from './archive-run';
import { verify } from './verify';

const USAGE = `Usage: npm run archive -- --before <time> --to <folder> [--past-disabled-webhooks]
       npm run archive -- verify <folder>

The first form moves what is older than the time to files in the folder, and removes it from the
database: finished deliveries of webhooks, events that nothing reads any more, and transfers of
campaigns that are over, whose balance it carries forward. Run it again with the same folder to
archive more, or to continue an interrupted run. The time is an RFC 3339 timestamp, such as
2026-01-01T00:00:00Z.

A webhook that has not read its events holds them, even if it is disabled. With
--past-disabled-webhooks, one that has been disabled and not changed since before the time holds
nothing: it misses the archived events for good, and its owner sees which ones.

The second form reads all files of an archive and compares them with its manifests.
`;

/** A timestamp with a time zone; without one it would mean another time on each machine. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function readVerify(
  args: readonly string[],
  directory: string,
): (() => Promise<string>) | undefined {
  if (args[0] !== 'verify') {
    return undefined;
  }
  const { positionals } = parseArgs({ args: args.slice(1), allowPositionals: true });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    throw new Error('verify needs one folder.');
  }
  return () => verifyFolder(resolve(directory, folder));
}

/** @throws Error if the arguments are not valid */
function readArchive(args: readonly string[], directory: string): OperatorWork {
  const { values } = parseArgs({
    args: [...args],
    options: {
      before: { type: 'string' },
      to: { type: 'string' },
      'past-disabled-webhooks': { type: 'boolean' },
    },
  });
  const { before, to, 'past-disabled-webhooks': pastDisabledWebhooks } = values;
  if (before === undefined || to === undefined) {
    throw new Error(`archive needs --before and --to.\n\n${USAGE.trimEnd()}`);
  }
  const time = TIMESTAMP.test(before) ? new Date(before) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw new Error('--before needs an RFC 3339 timestamp, such as 2026-01-01T00:00:00Z.');
  }
  return async ({ dataSource, stop }) => {
    try {
      const limits = { before: time, pastDisabledWebhooks, stop };
      const run = await archive(dataSource, resolve(directory, to), limits);
      if (run.failed.length > 0) {
        throw new Error(`${describe(run)}Not archived:\n${run.failed.join('\n')}`);
      }
      return describe(run);
    } catch (error) {
      if (stop.aborted) {
        throw new Error('Stopped. Run the same command again to continue.', { cause: error });
      }
      throw error;
    }
  };
}

/** Moves old rows to files, and verifies such files. */
export const ARCHIVE_COMMAND: OperatorCommand = {
  name: 'archive',
  usage: USAGE,
  read: readArchive,
  readLocal: readVerify,
};

function describe({ companies, rows, held }: ArchiveRun): string {
  return [
    `Archived ${rows.events} events, ${rows.deliveries} deliveries and ${rows.transfers} transfers ` +
      `of ${companies} companies.`,
    ...held.map(
      (company) =>
        `${company} has older events that a webhook has not read, a delivery or the results need.`,
    ),
    '',
  ].join('\n');
}

async function verifyFolder(folder: string): Promise<string> {
  const { companies, files, rows, digest, problems } = await verify(folder);
  if (problems.length > 0) {
    throw new Error(problems.join('\n'));
  }
  return `Verified ${rows} rows in ${files} files of ${companies} companies.\nDigest: ${digest}\n`;
}
