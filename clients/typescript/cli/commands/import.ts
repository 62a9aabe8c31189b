import type { CampaignDocument } from 'campaign-service-client';
import type { Command } from 'commander';
import { addCommand, wholeNumber } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { readBytes, refuseExisting, writeWhole } from '../files.js';
import { DOCUMENT_FILE } from '../reference.js';
import type { Session } from '../session.js';
import { indented, oneLine, plural } from '../text.js';

interface ImportOptions {
  output: string;
  format?: string;
  force?: boolean;
  reward?: number;
  responses?: number;
}

/** Adds `import`. */
export function addImport(program: Command, session: Session): void {
  addCommand<ImportOptions>(
    program,
    session,
    'import <file>',
    'Convert a questionnaire of another tool to a campaign document',
    (command) =>
      command
        .option('-o, --output <file>', 'The document; - is standard output', DOCUMENT_FILE)
        .option('--format <format>', 'surveyjs, xlsform, limesurvey, qualtrics or google-forms')
        .option('--reward <amount>', 'The reward_amount of the campaign', wholeNumber)
        .option('--responses <number>', 'The max_responses of the campaign', wholeNumber)
        .option('--force', 'Replace the document')
        .addHelpText(
          'after',
          '\nSurveyJS (JSON), XLSForm (.xlsx), LimeSurvey (.lss), Qualtrics (.qsf) and Google Forms' +
            '\n(JSON of its API). It prints what it could not carry over, and why.',
        ),
    async ({ output, format, force, reward, responses }, file = '') => {
      // Few commands need the libraries that read these formats.
      const { convert, FORMATS } = await import('../import/formats.js');
      if (format !== undefined && !(format in FORMATS)) {
        const names = Object.keys(FORMATS).join(', ');
        throw new CommandError(`--format must be one of ${names}.`, EXIT.usage);
      }
      const bytes = await readBytes(session, file);
      refuseExisting(session, output, force);
      const converted = convert(file, bytes, format as keyof typeof FORMATS | undefined);
      const { losses } = converted;
      const document: CampaignDocument = {
        ...converted.document,
        ...(reward !== undefined && { reward_amount: reward }),
        ...(responses !== undefined && { max_responses: responses }),
      };
      await writeWhole(session, output, [Buffer.from(`${JSON.stringify(document, null, 2)}\n`)]);
      const questions = document.questions?.length ?? 0;
      const summary = { file: output, format: converted.format, questions, losses };
      const lines = [
        `${plural(questions, 'question')} of ${converted.format} in ${output}.`,
        losses.length === 0 ? 'All of it was carried over.' : 'Not carried over:',
        ...indented(
          losses.map(({ question, what }) => oneLine(`${question ?? 'questionnaire'}: ${what}`)),
        ),
      ];
      if (output === '-') {
        lines.forEach((line) => session.note(line));
        return;
      }
      session.result(summary, () => lines);
      session.next(
        reward === undefined || responses === undefined
          ? `add reward_amount and max_responses to ${output}, then: campaign plan`
          : 'campaign plan',
      );
    },
  );
}
