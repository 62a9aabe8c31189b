import { EXAMPLE_POST_ID } from '../campaign/post-id.field';
import { EXAMPLE_SCREENING_QUESTION } from './targeting.dto';

/**
 * Rules that screen, with quotas of cells; questions that screen; rules about the past, with a
 * pace; and none.
 */
export const TARGETING_EXAMPLES = {
  'adults, with interlocked quotas': {
    value: {
      post_id: EXAMPLE_POST_ID,
      attributes: [
        { name: 'gender', type: 'select', values: ['female', 'male', 'other'] },
        { name: 'age', type: 'number' },
      ],
      screening: { all: [{ attribute: 'age', op: 'at_least', value: 18, name: 'adults' }] },
      quotas: [
        {
          name: 'women 18 to 34',
          when: { gender: ['female'], age: [{ from: 18, to: 34 }] },
          limit: 150,
        },
        {
          name: 'women 35 and over',
          when: { gender: ['female'], age: [{ from: 35 }] },
          limit: 150,
        },
        { name: 'men', when: { gender: ['male'] }, limit: 300 },
      ],
      other: 'admit',
    },
  },
  'coffee drinkers, by their answers': {
    value: {
      post_id: EXAMPLE_POST_ID,
      attributes: [],
      screening_questions: [EXAMPLE_SCREENING_QUESTION],
      qualify: {
        all: [{ question: 'cups', op: 'is_not', value: 'None', name: 'coffee drinkers' }],
      },
      screen_out_reward: 0.25,
      maximum_screen_outs: 200,
    },
  },
  'nobody too often, slowly': {
    value: {
      post_id: EXAMPLE_POST_ID,
      attributes: [],
      exclude: { campaigns: 'all', within_days: 7 },
      at_most: { responses: 3, per_days: 365 },
      at_most_per_hour: 50,
    },
  },
  everybody: { value: { post_id: EXAMPLE_POST_ID, attributes: [] } },
};
