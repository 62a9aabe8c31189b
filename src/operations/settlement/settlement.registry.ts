import { gauges } from '../../platform/metrics/metrics.registry';

/** Reports how many settlements nobody has paid, and the age of the oldest in seconds. */
export const reportUnpaid = gauges(
  ['settlements_unpaid', 'Closed settlements of live data that are not paid, at the last poll.'],
  ['settlements_unpaid_age_seconds', 'Age of the oldest of them; 0 if there is none.'],
);
