import type { TextFormat } from '../../campaigns/questions/question.types';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';

/** Words without an opinion. */
const WORDS = [
  'morning',
  'table',
  'paper',
  'garden',
  'window',
  'river',
  'letter',
  'market',
  'bridge',
  'winter',
  'summer',
  'corner',
  'kitchen',
  'station',
  'evening',
  'village',
];

/** The most words of an answer in short text and in open text. */
export const SHORT = 3;
export const OPEN = 12;

/** How long a text can be, and what it must be. */
interface Limits {
  minimum_length?: number;
  maximum_length: number;
  format?: TextFormat;
}

/** Draws words with spaces between them. */
export function words(maximum: number, draws: Draws): string {
  return Array.from(
    { length: 1 + drawBelow(draws, maximum) },
    () => WORDS[drawBelow(draws, WORDS.length)],
  ).join(' ');
}

/** Draws a text within its limits, from words and an ending. */
export function text(
  { minimum_length = 0, maximum_length, format }: Limits,
  maximum: number,
  end: string,
  draws: Draws,
): string {
  const drawn = words(maximum, draws);
  if (format !== undefined) {
    return formatted(FORMATS[format], drawn, minimum_length, maximum_length);
  }
  let longer = drawn + end;
  while (longer.length < minimum_length) {
    longer += ` ${words(maximum, draws)}${end}`;
  }
  // A text is trimmed when it is sent, so it must not end with a space.
  return longer.length > maximum_length
    ? longer.slice(0, maximum_length).replace(/ $/, '.')
    : longer;
}

/** How a text of a format is made of words: a name, and what can stand around it. */
interface Format {
  name: (drawn: string) => string;
  around: readonly (readonly [begin: string, end: string])[];
}

const compact = (drawn: string) => drawn.replaceAll(' ', '');

const FORMATS: Readonly<Record<TextFormat, Format>> = {
  // There is no top-level domain zz.
  email: {
    name: compact,
    around: [
      ['', '@example.com'],
      ['', '@x.zz'],
    ],
  },
  url: {
    name: compact,
    around: [
      ['https://example.com/', ''],
      ['http://', ''],
    ],
  },
  integer: { name: (drawn) => String(drawn.length), around: [['', '']] },
  time: {
    name: (drawn) => `${String(drawn.length % 24).padStart(2, '0')}:30`,
    around: [['', '']],
  },
};

/** Cuts or lengthens the name, between the first of what can stand around it that leaves room. */
function formatted(
  { name: nameOf, around }: Format,
  drawn: string,
  minimum: number,
  maximum: number,
): string {
  const name = nameOf(drawn);
  const [begin, end] = around.find((parts) => parts.join('').length < maximum) ?? ['', ''];
  const outside = begin.length + end.length;
  return begin + name.slice(0, maximum - outside).padEnd(minimum - outside, name.charAt(0)) + end;
}
