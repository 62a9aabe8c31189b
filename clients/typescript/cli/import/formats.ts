import type { CampaignDocument } from 'campaign-service-client';
import { basename, extname } from 'node:path';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { parseObject } from '../files.js';
import type { Draft, Loss } from './draft.js';
import { fromGoogleForms } from './google-forms.js';
import { fromLimeSurvey } from './limesurvey.js';
import { fromQualtrics } from './qualtrics.js';
import { fromSurveyJs } from './surveyjs.js';
import { fromXlsForm } from './xlsform.js';

interface Converted {
  draft: Draft;
  title: string;
  description: string;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const json = (bytes: Uint8Array, file: string) => parseObject<object>(text(bytes), file);

/** The formats that can be converted. */
export const FORMATS = {
  surveyjs: (bytes, file) => fromSurveyJs(json(bytes, file)),
  xlsform: (bytes) => fromXlsForm(bytes),
  limesurvey: (bytes) => fromLimeSurvey(text(bytes)),
  qualtrics: (bytes, file) => fromQualtrics(json(bytes, file)),
  'google-forms': (bytes, file) => fromGoogleForms(json(bytes, file)),
} satisfies Record<string, (bytes: Uint8Array, file: string) => Converted>;

export type Format = keyof typeof FORMATS;

/** Tells the format of a file from its beginning. */
function formatOf(bytes: Uint8Array, file: string): Format {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return 'xlsform';
  }
  const start = text(bytes.subarray(0, 1_000)).trimStart();
  if (start.startsWith('<')) {
    return 'limesurvey';
  }
  const content = json(bytes, file);
  if ('SurveyElements' in content) {
    return 'qualtrics';
  }
  if ('pages' in content || 'elements' in content) {
    return 'surveyjs';
  }
  if ('items' in content) {
    return 'google-forms';
  }
  throw new CommandError(
    `The format of ${file} is not known.`,
    EXIT.refused,
    'Name it with --format.',
  );
}

/** Converts a questionnaire to a document, and says what it could not carry over. */
export function convert(
  file: string,
  bytes: Uint8Array,
  given?: Format,
): { format: Format; document: CampaignDocument; losses: readonly Loss[] } {
  const format = given ?? formatOf(bytes, file);
  let converted: Converted;
  try {
    converted = FORMATS[format](bytes, file);
  } catch (error) {
    if (error instanceof CommandError) {
      throw error;
    }
    const message = (error as Error).message.split('\n')[0];
    throw new CommandError(`${file} cannot be read as ${format}: ${message}`, EXIT.refused);
  }
  const document = converted.draft.document(
    converted.title || basename(file, extname(file)),
    converted.description,
  );
  if (document.questions?.length === 0) {
    const losses = converted.draft.losses.map(({ question, what }) => `${question}: ${what}`);
    const found = losses.length === 0 ? '' : ` Not carried over: ${losses.slice(0, 5).join('; ')}.`;
    throw new CommandError(`${file} has no questions of ${format}.${found}`, EXIT.refused);
  }
  return { format, document, losses: converted.draft.losses };
}
