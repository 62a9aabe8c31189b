import type { TextFormat } from '../../campaigns/questions/question.types';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';

/** What a short answer names. */
const WORDS = [
  'morning',
  'coffee',
  'paper',
  'garden',
  'window',
  'price',
  'letter',
  'market',
  'colour',
  'winter',
  'summer',
  'design',
  'kitchen',
  'station',
  'evening',
  'service',
];

/**
 * The parts of sentences: any three make one. Two sentences can differ in 640,000 ways, so that
 * repeated texts stay rare.
 */
const BEGINNINGS = [
  'I liked it because',
  'It took me a while, but',
  'I would tell a friend that',
  'What I remember is that',
  'To be honest,',
  'At first I was not sure, but',
  'Compared with others,',
  'I noticed that',
  'My family thinks that',
  'If I had to choose,',
];
const ENDINGS = [
  'it was easy to use',
  'the price is too high',
  'the colours are pleasant',
  'the quality is good',
  'I would buy it again',
  'the text is hard to read',
  'it does what it promises',
  'I missed a few details',
  'the service was friendly',
  'I expected more',
];

const AFTERTHOUGHTS = [
  '',
  ' for me',
  ' overall',
  ' in my opinion',
  ' most of the time',
  ' at home',
  ' this year',
  ' in the end',
];

/** Draws what a respondent writes, without the end of its last sentence. */
type Writing = (draws: Draws) => string;

const oneOf = (choices: readonly string[], draws: Draws) =>
  choices[drawBelow(draws, choices.length)] ?? '';

/** One to three words. */
export const shortAnswer: Writing = (draws) =>
  Array.from({ length: 1 + drawBelow(draws, 3) }, () => oneOf(WORDS, draws)).join(' ');

const sentence: Writing = (draws) =>
  `${oneOf(BEGINNINGS, draws)} ${oneOf(ENDINGS, draws)}${oneOf(AFTERTHOUGHTS, draws)}`;

/** Two sentences. */
export const openAnswer: Writing = (draws) => `${sentence(draws)}. ${sentence(draws)}`;

/** How long a text can be, and what it must be. */
interface Limits {
  minimum_length?: number;
  maximum_length: number;
  format?: TextFormat;
}

/** Draws a text within its limits, each sentence of which has this end. */
export function text(
  { minimum_length = 0, maximum_length, format }: Limits,
  write: Writing,
  end: string,
  draws: Draws,
): string {
  if (format !== undefined) {
    return formatted(FORMATS[format], shortAnswer(draws), minimum_length, maximum_length);
  }
  const drawn = write(draws);
  let longer = drawn + end;
  while (longer.length < minimum_length) {
    longer += ` ${write(draws)}${end}`;
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
