import { gauges, labelledCounter } from '../../platform/metrics/metrics.registry';

export const countTransition = labelledCounter(
  'campaign_transitions_total',
  'Campaigns that this process has started or ended at their times, by their new status.',
  ['status'],
);

/** In seconds. */
export const reportTransitionLag = gauges([
  'campaign_transition_lag_seconds',
  'Seconds for which the most overdue start or end has been due at the last poll; 0 if none.',
]);

// What the clock makes of a campaign.
for (const status of ['live', 'completed']) {
  countTransition({ status }, 0);
}
