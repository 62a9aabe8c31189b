import { Gauge } from 'prom-client';
import { Mode, MODES, modeOf } from '../../platform/caller/environment.rules';
import { gauges, labelledCounter, registry } from '../../platform/metrics/metrics.registry';
import { countPromise } from '../../platform/metrics/service-levels.registry';
import type { StoredId } from '../../platform/database/identifiers';

const registers = [registry];

/** Seconds after its end in which the place and the money of a participation are released. */
const PROMPT = 10;

const countSteps = labelledCounter(
  'fielding_participations_total',
  'Steps of participations that this process has taken, by what the participation became.',
  ['outcome', 'mode'],
);

const open = new Gauge({
  name: 'fielding_participations_open',
  help: 'Participations that hold a place, of all companies, at the last poll; at most 100,000.',
  labelNames: ['mode'] as const,
  registers,
});

const held = new Gauge({
  name: 'fielding_money_held',
  help: 'Money that the open participations hold, of all companies, at the last poll.',
  labelNames: ['mode', 'currency'] as const,
  registers,
});

const reportExpiryLag = gauges([
  'fielding_expiry_lag_seconds',
  'Seconds for which the most overdue participation has been over but open; 0 without one.',
]);

/** What a participation becomes by a step. */
export const OUTCOMES = [
  'begun',
  'submitted',
  'abandoned',
  'expired',
  'reversed',
  'screened_out',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

for (const mode of MODES) {
  OUTCOMES.forEach((outcome) => {
    countSteps({ outcome, mode }, 0);
  });
}

export function countParticipations(outcome: Outcome, companyId: StoredId, count = 1): void {
  countSteps({ outcome, mode: modeOf(companyId) }, count);
}

/** What the open participations of a mode and currency hold. */
export interface Held {
  mode: Mode;
  currency: string;
  open: number;
  money: number;
  /** Seconds until the first of them is over; negative after that. */
  left: number;
}

/** Reports what a look found; what has no open participations is absent. */
export function reportHeld(found: readonly Held[]): void {
  for (const mode of MODES) {
    open.set({ mode }, 0);
  }
  held.reset();
  for (const { mode, currency, open: number, money } of found) {
    open.inc({ mode }, number);
    held.set({ mode, currency }, money);
  }
  reportExpiryLag(Math.max(0, ...found.map(({ left }) => -left)));
}

/** Counts whether expired participations are released in time. */
export function countExpiryLook(found: readonly Held[]): void {
  countPromise(
    'expiry_prompt',
    found.every(({ left }) => left > -PROMPT),
  );
}
