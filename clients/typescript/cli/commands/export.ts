import type { Command } from 'commander';
import { addCommand, wholeNumber } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { refuseExisting, writeWhole } from '../files.js';
import { postIdOf } from '../reference.js';
import type { Session } from '../session.js';
import { number, plural } from '../text.js';

const FORMATS = ['ndjson', 'csv'] as const;

interface ExportOptions {
  format: string;
  output?: string;
  force?: boolean;
  bom?: boolean;
  afterSeq?: number;
}

/** Adds `export`. */
export function addExport(program: Command, session: Session): void {
  addCommand<ExportOptions>(
    program,
    session,
    'export [campaign]',
    'Download all responses to a file',
    (command) =>
      command
        .option('--format <format>', 'ndjson or csv', 'ndjson')
        .option('-o, --output <file>', 'The file; - is standard output')
        .option('--after-seq <number>', 'Only what came after this number', wholeNumber)
        .option('--bom', 'Begin a CSV so that Excel reads its letters')
        .option('--force', 'Replace the file'),
    async ({ format: name, output, force, bom, afterSeq }, reference) => {
      const format = FORMATS.find((each) => each === name);
      if (format === undefined) {
        throw new CommandError(`--format must be ${FORMATS.join(' or ')}.`, EXIT.usage);
      }
      const post_id = await postIdOf(session, reference);
      const file = output ?? `${post_id}.${format}`;
      refuseExisting(session, file, force);
      const responses = session.client().responses.export(
        post_id,
        {
          format,
          ...(bom === true && { bom }),
          ...(afterSeq !== undefined && { after_seq: afterSeq }),
        },
        session.call,
      );
      await writeWhole(session, file, withProgress(session, responses));
      session.progress('');
      const { count, covers } = responses.summary ?? { count: 0, covers: { from: 1, to: 0 } };
      if (file !== '-') {
        session.result({ file, format, count, covers }, () => [
          `${plural(count, 'response')} in ${file}.`,
          `For what comes later: --after-seq ${covers.to}`,
        ]);
      }
    },
  );
}

async function* withProgress(
  session: Session,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    session.progress(`${number(Math.ceil(bytes / 1024))} kB …`);
    yield chunk;
  }
}
