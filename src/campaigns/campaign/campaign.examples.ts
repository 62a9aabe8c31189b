import { EXAMPLE_POST_ID } from './post-id.field';

/** Requests for an update. A survey would refuse the fields of advertisements. */
export const UPDATE_EXAMPLES = {
  'a new title and reward': {
    value: { post_id: EXAMPLE_POST_ID, title: 'Coffee habits, second wave', reward_amount: 100 },
  },
  'no page any more': { value: { post_id: EXAMPLE_POST_ID, content_url: null } },
};
