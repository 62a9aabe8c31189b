import { EXAMPLE_POST_ID } from '../http/examples';

/** Requests for an update; the fields of advertisements would be refused on a survey. */
export const UPDATE_EXAMPLES = {
  'a new title and reward': {
    value: { post_id: EXAMPLE_POST_ID, title: 'Coffee habits, second wave', reward_amount: 100 },
  },
  'no page any more': { value: { post_id: EXAMPLE_POST_ID, content_url: null } },
};
