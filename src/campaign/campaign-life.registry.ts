import { Counter, Gauge } from 'prom-client';
import { registry } from '../metrics/metrics.registry';

const registers = [registry];

/** What the clock makes of a campaign. */
const STATUSES = ['live', 'completed'] as const;

const transitions = new Counter({
  name: 'campaign_transitions_total',
  help: 'Campaigns that this process has started or ended at their times, by their new status.',
  labelNames: ['status'] as const,
  registers,
});

const lag = new Gauge({
  name: 'campaign_transition_lag_seconds',
  help: 'Seconds for which the most overdue start or end has been due at the last look; 0 if none.',
  registers,
});

STATUSES.forEach((status) => {
  transitions.inc({ status }, 0);
});

export function countTransition(status: string): void {
  transitions.inc({ status });
}

export function reportTransitionLag(seconds: number): void {
  lag.set(seconds);
}
