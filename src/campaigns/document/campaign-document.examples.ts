/** Documents of different kinds of campaign. */
export const DOCUMENT_EXAMPLES = {
  'a survey with questions': {
    value: {
      external_ref: 'coffee-2026',
      type: 'survey',
      title: 'Coffee habits 2026',
      description: 'How people choose and drink their coffee at home.',
      category: 'food',
      tagline: 'Tell us about your morning cup',
      reward_amount: 100,
      questions: [
        {
          type: 'single_choice',
          question: 'How many cups do you drink a day?',
          options: ['None', 'One or two', 'More'],
        },
        { type: 'descriptive', question: 'What makes a good cup?' },
      ],
      is_live: true,
    },
  },
  'an advertisement with feedback, tried without writing': {
    value: {
      external_ref: 'coffee-spot-2026',
      type: 'advertisement',
      title: 'The morning cup',
      description: 'A short film about our new roast.',
      category: 'food',
      tagline: 'Wake up to something good',
      reward_amount: 50,
      video_url: 'https://example.com/spot.mp4',
      has_feedback: true,
      questions: [{ type: 'text', question: 'What do you remember of it?' }],
      dry_run: true,
    },
  },
  'an image survey': {
    value: {
      external_ref: 'coffee-packaging-2026',
      type: 'survey',
      format: 'round_robin',
      title: 'Our new packaging',
      description: 'Which of the designs people prefer.',
      category: 'food',
      tagline: 'Help us choose',
      reward_amount: 80,
      question: 'Which design do you prefer?',
      images: [
        { url: 'https://example.com/a.png', label: 'Design A' },
        { url: 'https://example.com/b.png', label: 'Design B' },
        { url: 'https://example.com/c.png', label: 'Design C' },
      ],
    },
  },
  'a survey with a start, an end and limits': {
    value: {
      external_ref: 'coffee-week-2099',
      type: 'survey',
      title: 'The coffee week',
      description: 'What people drink in one week.',
      category: 'food',
      tagline: 'Seven days, seven cups',
      reward_amount: 60,
      questions: [{ type: 'text', question: 'What did you drink today?' }],
      starts_at: '2099-01-12T08:00:00Z',
      ends_at: '2099-01-19T08:00:00Z',
      max_responses: 500,
      budget: 20000,
    },
  },
  'only a new reward': { value: { external_ref: 'coffee-2026', reward_amount: 120 } },
};
