import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RULES = join(__dirname, '../../monitoring/rules.yml');

/** The labels that Prometheus adds to what it reads. */
const TARGET = 'instance="a",job="campaign-service"';

/** Minutes for which a fault goes on. */
const MINUTES = 90;

interface Samples {
  values: Map<string, number>;
  /** The series that only increase. */
  counters: Set<string>;
}

/** Reads the text that a process shows to Prometheus. */
export function samplesOf(text: string): Samples {
  const values = new Map<string, number>();
  const counters = new Set<string>();
  let counts = false;
  for (const line of text.split('\n')) {
    const type = /^# TYPE \S+ (\w+)/.exec(line)?.[1];
    if (type !== undefined) {
      counts = type !== 'gauge';
    }
    const [, name, labels, value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name !== undefined && Number.isFinite(Number(value))) {
      const series = `${name}{${labels === undefined ? '' : `${labels},`}${TARGET}}`;
      values.set(series, Number(value));
      if (counts) {
        counters.add(series);
      }
    }
  }
  return { values, counters };
}

/** Alerts that a busy machine can cause by itself. */
const OF_LOAD = [
  'ServiceLevelAtRisk',
  'ServiceLevelErodes',
  'DatabasePoolExhausted',
  'EventLoopBlocked',
];

/** What a process showed before a fault and during it; `undefined` if it is gone. */
export interface Fault {
  before: string;
  during: string | undefined;
  /** The alerts that fire. Others do not, but for those of a busy machine. */
  alerts: readonly string[];
}

/** Goes on with what happened between the two texts, in every minute. */
function seriesOf({ before, during }: Fault): { series: string; values: string }[] {
  const up = { series: `up{${TARGET}}`, values: `${during === undefined ? 0 : 1}x${MINUTES}` };
  if (during === undefined) {
    return [up];
  }
  const first = samplesOf(before);
  const second = samplesOf(during);
  const series = [...second.values].map(([name, value]) => {
    const start = second.counters.has(name) ? (first.values.get(name) ?? 0) : value;
    return { series: name, values: `${start}+${value - start}x${MINUTES}` };
  });
  return [up, ...series];
}

/**
 * Runs the rules on faults that go on, and expects that exactly these alerts fire.
 *
 * @returns what `promtool` says about those that do not; empty if all is as expected
 */
export function checkAlerts(faults: readonly Fault[]): string {
  const tests = faults.map((fault) => ({
    interval: '1m',
    input_series: seriesOf(fault),
    promql_expr_test: [
      {
        expr: firing(fault.alerts),
        eval_time: `${MINUTES - 5}m`,
        exp_samples: fault.alerts.map((alertname) => ({
          labels: `{alertname="${alertname}"}`,
          value: 1,
        })),
      },
    ],
  }));
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  const file = join(folder, 'faults.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr, error } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  if (error !== undefined) {
    throw new Error(`promtool is missing, Debian package prometheus: ${error.message}`);
  }
  return status === 0 ? '' : stdout + stderr;
}

/** Returns a query for the alerts that fire, without those that a busy machine may cause. */
function firing(alerts: readonly string[]): string {
  const ignored = OF_LOAD.filter((name) => !alerts.includes(name)).join('|');
  return `count by (alertname) (ALERTS{alertstate="firing", alertname!~"${ignored}"}) > bool 0`;
}
