import { gauges } from '../../platform/metrics/metrics.registry';

/** Reports how many disputes wait for their platforms. */
export const reportWaitingDisputes = gauges([
  'fielding_disputes_waiting',
  'Disputes that platforms have not decided, of all companies, at the last poll; at most 10,000.',
]);
