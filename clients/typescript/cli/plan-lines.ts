import { isDeepStrictEqual } from 'node:util';
import type { FieldChange, Plan } from './plan.js';
import { cut, indented, money, number, type Painter, percent, plural, table } from './text.js';

const VALUE_WIDTH = 60;

/** A plan for people. */
export function planLines(plan: Plan, paint: Painter): string[] {
  const { document, result, post_id, changes, currency, maximum_cost } = plan;
  const name = paint.bold(cut(String(document.external_ref), VALUE_WIDTH));
  const outcome = {
    created: `${name} would be created.`,
    updated: `${name} (${post_id}) would be updated.`,
    unchanged: `${name} (${post_id}) matches the document: nothing would change.`,
  }[result];
  return [
    outcome,
    ...(result === 'created' ? newLines(changes) : changedLines(changes)),
    '',
    ...launchLines(plan, paint),
    '',
    `${paint.bold('A start commits')} at most ${money(maximum_cost, currency)}.`,
    ...forecastLines(plan, paint),
  ];
}

const rows = (cells: readonly string[][]) => indented(table(['', ''], cells).slice(1));

function newLines(changes: readonly FieldChange[]): string[] {
  const given = changes.filter((change) => change.new !== null);
  const others = changes.filter((change) => change.new === null).map(({ field }) => field);
  return [
    ...rows(given.map((change) => [`+ ${change.field}`, textOf(change.new)])),
    ...(others.length === 0 ? [] : [`  by default: ${others.join(', ')}`]),
  ];
}

function changedLines(changes: readonly FieldChange[]): string[] {
  return rows(
    changes.map(({ field, old, new: wanted }) => {
      const isList = Array.isArray(old) && Array.isArray(wanted);
      if (field === 'cohort_rewards' && wanted === null) {
        return [`~ ${field}`, 'computed from reward_amount'];
      }
      return [
        `  ~ ${field}`,
        isList ? compared(old, wanted) : `${textOf(old)} → ${textOf(wanted)}`,
      ];
    }),
  );
}

function textOf(value: unknown): string {
  if (value === null) {
    return 'none';
  }
  if (Array.isArray(value)) {
    return plural(value.length, 'entry').replace('entrys', 'entries');
  }
  if (typeof value === 'number') {
    return number(value);
  }
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value), VALUE_WIDTH);
}

/** What two lists of questions differ in. */
function compared(old: readonly unknown[], wanted: readonly unknown[]): string {
  const keyed = (list: readonly unknown[]) =>
    new Map(list.map((each, index) => [(each as { key?: string }).key ?? `q${index + 1}`, each]));
  const [before, after] = [keyed(old), keyed(wanted)];
  const added = [...after.keys()].filter((key) => !before.has(key));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  const changed = [...after.keys()].filter(
    (key) => before.has(key) && !hasFields(before.get(key), after.get(key)),
  );
  const parts = { added, removed, changed };
  const found = Object.entries(parts)
    .filter(([, keys]) => keys.length > 0)
    .map(([what, keys]) => `${what} ${keys.join(', ')}`);
  return cut(found.length === 0 ? 'another order' : found.join('; '), 2 * VALUE_WIDTH);
}

/** Whether a stored question has what the document says. It also has what took its default. */
function hasFields(stored: unknown, wanted: unknown): boolean {
  const before = stored as Record<string, unknown>;
  return Object.entries(wanted as object).every(([name, value]) =>
    isDeepStrictEqual(before[name], value),
  );
}

function launchLines({ ready, blockers, warnings }: Plan, paint: Painter): string[] {
  return [
    `${paint.bold('Launch check:')} ${ready ? paint.green('it could be started') : paint.red('it could not be started')}`,
    ...blockers.map(({ code, message }) => `  ${paint.red('✗')} ${code}: ${message}`),
    ...warnings.map(({ code, message, field }) => {
      const where = field === null ? '' : ` (${field})`;
      return `  ${paint.yellow('!')} ${code}${where}: ${message}`;
    }),
  ];
}

function forecastLines({ forecast, currency }: Plan, paint: Painter): string[] {
  const { cost, responses, ended_by, respondents } = forecast;
  const endings = Object.entries(ended_by)
    .filter(([, share]) => share > 0)
    .map(([by, share]) => `${by.replaceAll('_', ' ')} ${percent(share)}`);
  return [
    `${paint.bold('Forecast:')} ${money(cost.p5, currency)} to ${money(cost.p95, currency)}, ` +
      `${money(cost.mean, currency)} on average, for ${plural(responses.p50, 'response')}`,
    `  of at most ${plural(respondents, 'respondent')}; ended by ${endings.join(', ')}`,
  ];
}
