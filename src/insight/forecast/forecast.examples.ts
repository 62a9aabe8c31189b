import { EXAMPLE_POST_ID } from '../../campaigns/campaign/post-id.field';

/** Forecasts of a stored campaign, and of one that does not exist yet. */
export const FORECAST_EXAMPLES = {
  'a stored campaign': {
    value: {
      post_id: EXAMPLE_POST_ID,
      seed: 4711,
      runs: 1_000,
      respondents: 500,
      attention: { mean: 6.5, spread: 2 },
      completion_rate: 0.9,
    },
  },
  'a campaign that does not exist yet': {
    value: {
      campaign: {
        external_ref: 'coffee-panel-2027',
        type: 'survey',
        title: 'Coffee panel 2027',
        description: 'What our panel drinks.',
        category: 'food',
        tagline: 'One cup, one minute',
        reward_amount: 40,
        max_responses: 300,
        budget: 9_000,
      },
      seed: 4711,
      attention: { history: true },
    },
  },
};
