import { parseArgs } from 'node:util';
import { ROW_NAMES, RowName } from './rows';

/** The options of a comparison. */
export interface ComparisonOptions {
  rows: RowName[];
  contestants?: string[];
  rounds: number;
  seconds: number;
  warmUp: number;
  serviceDirectory?: string;
}

const USAGE = `npm run bench -- [options]
  --rows create,toggle        ${ROW_NAMES.join(', ')}
  --contestants limit,service the first one is what the others are compared with
  --rounds 5                  measurements of each contestant on each row
  --seconds 5                 length of one
  --warm-up 3                 seconds before the first, of each contestant on each row
  --service-dir <path>        a work tree with another, built service, to compare as service-b
`;

/** @throws if an option is unknown or not a whole number */
export function comparisonOptions(): ComparisonOptions {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: ROW_NAMES.join() },
      contestants: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      'warm-up': { type: 'string', default: '3' },
      'service-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  return {
    rows: rowsNamed(values.rows),
    contestants: values.contestants?.split(','),
    rounds: wholeNumber('rounds', values.rounds),
    seconds: wholeNumber('seconds', values.seconds),
    warmUp: wholeNumber('warm-up', values['warm-up']),
    serviceDirectory: values['service-dir'],
  };
}

export function rowsNamed(list: string): RowName[] {
  return list.split(',').map((name) => {
    if (!ROW_NAMES.includes(name as RowName)) {
      throw new Error(`there is no row ${name}; there are ${ROW_NAMES.join(', ')}`);
    }
    return name as RowName;
  });
}

export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new Error(`--${name} must be a whole number, 1 or more`);
  }
  return Number(text);
}
