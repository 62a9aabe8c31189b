/** A question in the pictures of docs/questionnaires.md, with what a respondent has entered. */
export interface Pictured {
  fields: object;
  /** Values by the ends of the fields' names: '' for the only one, or '.0' for the first part. */
  entered?: Readonly<Record<string, string>>;
}

/** A picture of each type; those that can be drawn in several ways have further ones. */
export const PICTURED_QUESTIONS: Readonly<Record<string, Pictured>> = {
  descriptive: {
    fields: { type: 'descriptive', question: 'What would you change about your coffee?' },
    entered: { '': 'It should be hotter, and there should be more of it.' },
  },
  text: {
    fields: { type: 'text', question: 'Which bean do you like best?' },
    entered: { '': 'Arabica' },
  },
  single_choice: {
    fields: {
      type: 'single_choice',
      question: 'What do you drink most?',
      options: ['Coffee', 'Tea', { text: 'Something else', key: 'else', other: true }],
    },
    entered: { '': 'else', '.other': 'Cocoa' },
  },
  multiple_choice: {
    fields: {
      type: 'multiple_choice',
      question: 'Which kinds do you like?',
      options: ['Hot', 'Iced', { text: 'None of these', key: 'none', exclusive: true }],
      comment: true,
    },
    entered: { '': 'Hot', '.comment': 'Iced only in summer.' },
  },
  rating: {
    fields: {
      type: 'rating',
      question: 'How much do you like it?',
      scale: { min: 1, max: 5, min_label: 'Not at all', max_label: 'Very much' },
      display: 'stars',
    },
    entered: { '': '4' },
  },
  'rating-buttons': {
    fields: {
      type: 'rating',
      question: 'How strong should it be?',
      scale: { min: 1, max: 7, min_label: 'Weak', max_label: 'Strong' },
    },
    entered: { '': '5' },
  },
  'rating-slider': {
    fields: {
      type: 'rating',
      question: 'How warm, in degrees?',
      scale: { min: 0, max: 100, min_label: 'Cold', max_label: 'Hot' },
      display: 'slider',
    },
    entered: { '': '60' },
  },
  nps: {
    fields: { type: 'nps', question: 'How likely are you to recommend it?' },
    entered: { '': '9' },
  },
  number: {
    fields: { type: 'number', question: 'How many cups do you drink a day?', unit: 'cups' },
    entered: { '': '3' },
  },
  date: {
    fields: { type: 'date', question: 'Since when?', precision: 'year' },
    entered: { '': '2021' },
  },
  ranking: {
    fields: {
      type: 'ranking',
      question: 'What matters most?',
      options: ['Taste', 'Price', 'Smell'],
    },
    entered: { '.0': '1', '.1': '2', '.2': '3' },
  },
  matrix: {
    fields: {
      type: 'matrix',
      question: 'How often, and where?',
      rows: ['At home', 'At work'],
      options: ['Daily', 'Weekly', 'Never'],
    },
    entered: { '.0': 'Daily', '.1': 'Never' },
  },
  'matrix-scale': {
    fields: {
      type: 'matrix',
      question: 'How good is it?',
      rows: ['Taste', 'Price'],
      scale: { min: 1, max: 5 },
    },
    entered: { '.0': '4', '.1': '2' },
  },
  checkbox: {
    fields: { type: 'checkbox', question: 'I agree to the terms.', must_be_true: true },
    entered: { '': 'true' },
  },
  statement: {
    fields: { type: 'statement', question: 'The next questions are about coffee.' },
  },
};

/** What every campaign has. */
export const CAMPAIGN = {
  title: 'Coffee and cups',
  description: 'How people drink coffee.',
  category: 'food',
  tagline: 'Your morning cup',
  reward_amount: 100,
};

/** A picture of each format of an image survey; the pairs of a round robin look like a binary. */
export const PICTURED_SURVEYS: Readonly<Record<string, Pictured & { path: string }>> = {
  binary: {
    path: 'binary',
    fields: { question: 'Which cup do you prefer?', allow_ties: true },
    entered: { '': '2' },
  },
  image_slider: {
    path: 'slider',
    fields: { question: 'How much do you like this cup?', scale: { min: 0, max: 10 } },
    entered: { '': '7' },
  },
};

/** A cup of a colour, as SVG. */
export const cup = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80">
    <rect width="120" height="80" fill="#eceff4"/>
    <path d="M30 20h50v28a16 16 0 0 1-16 16H46a16 16 0 0 1-16-16z" fill="${colour}"/>
    <path d="M80 27h6a9 9 0 0 1 0 22h-6" fill="none" stroke="${colour}" stroke-width="6"/>
  </svg>`;
