/** A question of every type, some of them with conditions and options with more than a text. */
export const QUESTIONS = [
  { type: 'statement', question: 'Welcome.' },
  { type: 'checkbox', key: 'agree', question: 'Do you agree?', must_be_true: true },
  {
    type: 'multiple_choice',
    key: 'milk',
    question: 'What do you add?',
    section: 'Coffee',
    options: [
      'Milk',
      { text: 'Other', key: 'other', other: true, fixed: true },
      { text: 'Nothing', key: 'none', exclusive: true },
    ],
    shuffle: true,
    comment: true,
  },
  {
    type: 'rating',
    key: 'taste',
    question: 'How does it taste?',
    scale: { min: 1, max: 5, step: 1, max_label: 'great' },
    show_if: { all: [{ question: 'milk', op: 'excludes', value: 'none' }] },
  },
  { type: 'nps', question: 'Would you recommend it?' },
  { type: 'number', question: 'How many cups?', minimum: 0, decimals: 1, unit: 'cups' },
  { type: 'date', question: 'Since when?', precision: 'month' },
  { type: 'ranking', question: 'What matters?', options: ['Taste', 'Price'] },
  {
    type: 'matrix',
    question: 'How good is it?',
    rows: ['Taste', { text: 'Price', key: 'price' }],
    options: ['Bad', 'Good'],
  },
  { type: 'text', question: 'Your address?', format: 'email', required: false },
];

/** The languages of these questions. */
export const LANGUAGES = {
  language: 'en',
  translations: { de: { milk: { question: 'Was nehmen Sie dazu?', options: { Milk: 'Milch' } } } },
};
