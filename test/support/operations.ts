import { advertisement, question, survey } from './builders';

/** A valid request of the campaign API. */
export interface Operation {
  method: 'POST' | 'PATCH';
  path: string;
  body: Record<string, unknown>;
}

/** The two that create a campaign. */
export const CREATIONS: readonly Operation[] = [
  { method: 'POST', path: '/svc/survey/create', body: survey() },
  { method: 'POST', path: '/svc/advertisement/create', body: advertisement() },
];

/** The requests on one campaign, which has a reward of 100. */
export function operationsOn(postId: string): Operation[] {
  const rewards = {
    cohort_1_reward: 4,
    cohort_2_reward: 5,
    cohort_3_reward: 6,
    cohort_4_reward: 7,
    cohort_5_reward: 100,
  };
  return [
    ...(['survey', 'advertisement'] as const).map((type): Operation => ({
      method: 'POST',
      path: `/svc/${type}/questions`,
      body: { post_id: postId, questions: [question()] },
    })),
    {
      method: 'PATCH',
      path: '/svc/campaign/update',
      body: { post_id: postId, title: 'Changed', reward_amount: 50 },
    },
    {
      method: 'PATCH',
      path: '/svc/campaign/cohort-rewards',
      body: { post_id: postId, ...rewards },
    },
    {
      method: 'PATCH',
      path: '/svc/campaign/toggle-live',
      body: { post_id: postId, is_live: true },
    },
  ];
}

/** Every operation of the campaign API, on a campaign that may not exist. */
export const EVERY_OPERATION = [...CREATIONS, ...operationsOn('post_01k9x2v8zdf3xbz0q4v5rk6t7m')];
