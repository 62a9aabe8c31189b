import { EXAMPLE_POST_ID } from '../campaign/post-id.field';
import { EXAMPLE_CONDITIONS } from './guardrail.dto';

/** A backtest of conditions on one campaign. */
export const BACKTEST_EXAMPLES = {
  'conditions on one campaign': {
    value: { when: { all: EXAMPLE_CONDITIONS }, post_id: EXAMPLE_POST_ID },
  },
};
