import { EXAMPLE_POST_ID } from '../../campaigns/campaign/post-id.field';

/** A respondent of whom something is known. Most campaigns have no screening questions. */
export const BEGIN_EXAMPLES = {
  'a respondent': {
    value: {
      post_id: EXAMPLE_POST_ID,
      respondent_id: 'user-4711',
      attributes: { gender: 'female', age: 29 },
      language: 'de-AT',
      supports: ['descriptive', 'text', 'single_choice', 'multiple_choice'],
    },
  },
};
