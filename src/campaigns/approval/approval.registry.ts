import { gauges } from '../../platform/metrics/metrics.registry';

/** Reports how many requests wait for an approval. */
export const reportWaitingApprovals = gauges([
  'approvals_waiting',
  'Requests that wait for an approval, of all companies, at the last poll; at most 10,000.',
]);
