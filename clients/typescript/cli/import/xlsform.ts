import { InexpressibleError } from './comparison.js';
import type { Expression } from './condition.js';
import { type Choice, Draft } from './draft.js';
import { conditionsIn, type Dialect, parseExpression } from './expression.js';
import { readWorkbook, type Rows } from './xlsx.js';

type Row = Rows[number];

const DIALECT: Dialect = {
  name: /^\$\{([^{}]+)\}/,
  functions: {
    selected: (name, value) => ({ name, op: 'has', value }),
  },
};

/** The answer itself, in a constraint. */
const CONSTRAINT: Dialect = { name: /^(\.)(?!\d)/, functions: {} };

/** Types of rows that ask nothing, and collect data or compute it. */
const SILENT =
  /^(calculate|hidden|start|end|today|deviceid|username|phonenumber|email|audit|background-audio|xml-external|csv-external|start-geopoint)$/;

const PLAIN: Readonly<Record<string, readonly [type: 'text' | 'number' | 'date', fields: object]>> =
  {
    text: ['text', {}],
    string: ['text', {}],
    integer: ['number', {}],
    int: ['number', {}],
    decimal: ['number', { decimals: 6 }],
    date: ['date', {}],
    time: ['text', { format: 'time' }],
  };

/** Converts a workbook of XLSForm, as ODK, Kobo and SurveyCTO use it. */
export function fromXlsForm(bytes: Uint8Array) {
  const sheets = new Map(
    [...readWorkbook(bytes)].map(([name, rows]) => [name.toLowerCase(), rows.map(withLowerCase)]),
  );
  const [settings = {}] = sheets.get('settings') ?? [];
  const draft = new Draft();
  const lists = new Map<string, Choice[]>();
  for (const row of sheets.get('choices') ?? []) {
    const list = row.list_name ?? row['list name'] ?? '';
    const value = row.name ?? row.value ?? '';
    lists.set(list, [...(lists.get(list) ?? []), { value, text: labelOf(draft, row) || value }]);
  }
  addRows(draft, sheets.get('survey') ?? [], lists);
  return { draft, title: settings.form_title ?? settings.form_id ?? '', description: '' };
}

/** The names of columns are written in any case. */
function withLowerCase(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name.toLowerCase(), text]));
}

/** The label in the form's own language. */
function labelOf(draft: Draft, row: Row, field = 'label'): string {
  const labels = Object.entries(row).filter(
    ([name]) => name === field || name.startsWith(`${field}:`),
  );
  if (labels.length > 1) {
    draft.lose(null, 'texts in other languages');
  }
  const own = labels.find(([name]) => name === field || /english|\(en\)/i.test(name)) ?? labels[0];
  return own?.[1] ?? '';
}

const isYes = (text = '') => /^(yes|true|true\(\))$/i.test(text);

function addRows(draft: Draft, rows: readonly Row[], lists: ReadonlyMap<string, Choice[]>): void {
  /** The conditions of the groups around a row, and the sections before them. */
  const groups: { conditions: Expression[]; before: string }[] = [];
  let repeats = 0;
  for (const row of rows) {
    const [kind = '', ...rest] = (row.type ?? '').trim().split(/\s+/);
    const name = row.name ?? row.type ?? '';
    const type = [kind, ...rest].join(' ').replace(/^(begin|end)[ _](group|repeat)$/, '$1_$2');
    if (type === 'begin_repeat') {
      draft.lose(name, 'the questions that are repeated');
      repeats += 1;
    } else if (type === 'end_repeat') {
      repeats -= 1;
    } else if (repeats > 0 || kind === '') {
      continue;
    } else if (type === 'begin_group') {
      const conditions = conditionsIn(draft, name, row.relevant ?? row.relevance, DIALECT);
      groups.push({ conditions, before: draft.section(labelOf(draft, row)) });
    } else if (type === 'end_group') {
      draft.section(groups.pop()?.before ?? '');
    } else {
      const conditions = [
        ...groups.flatMap((group) => group.conditions),
        ...conditionsIn(draft, name, row.relevant ?? row.relevance, DIALECT),
      ];
      addQuestion(draft, row, [kind, ...rest], conditions, lists);
    }
  }
}

function addQuestion(
  draft: Draft,
  row: Row,
  [kind = '', list = '', more]: readonly string[],
  conditions: readonly Expression[],
  lists: ReadonlyMap<string, Choice[]>,
): void {
  const name = row.name ?? kind;
  if (SILENT.test(kind)) {
    draft.lose(name, `${kind}, which asks nothing`);
    return;
  }
  loseFields(draft, name, row);
  const hint = labelOf(draft, row, 'hint');
  const label = labelOf(draft, row) || name;
  const text = hint === '' ? label : `${label} (${hint})`;
  const common = { name, text, required: isYes(row.required), conditions };
  const plain = PLAIN[kind];
  const options = [
    ...(lists.get(list) ?? []),
    ...(more === 'or_other' ? [{ value: 'other', text: 'Other', other: true }] : []),
  ];
  const shuffle = /randomize\s*=\s*true/.test(row.parameters ?? '') && { shuffle: true };
  if (plain !== undefined) {
    const [type, fields] = plain;
    const limits = type === 'number' ? limitsOf(draft, name, row) : {};
    const isLong = type === 'text' && /multiline/.test(row.appearance ?? '');
    draft.add({ ...common, type: isLong ? 'descriptive' : type, fields: { ...fields, ...limits } });
  } else if (kind === 'select_one' || kind === 'select_multiple' || kind === 'rank') {
    const types = {
      select_one: 'single_choice',
      select_multiple: 'multiple_choice',
      rank: 'ranking',
    };
    draft.add({ ...common, type: types[kind] as 'ranking', options, fields: { ...shuffle } });
  } else if (kind === 'note') {
    draft.add({ ...common, type: 'statement' });
  } else if (kind === 'acknowledge' || kind === 'trigger') {
    draft.add({
      ...common,
      type: 'checkbox',
      fields: common.required ? { must_be_true: true } : {},
    });
  } else if (kind === 'range') {
    const at = (field: string, otherwise: number) =>
      Number(
        new RegExp(`${field}\\s*=\\s*(-?[\\d.]+)`).exec(row.parameters ?? '')?.[1] ?? otherwise,
      );
    const scale = { min: at('start', 0), max: at('end', 10), step: at('step', 1) };
    draft.add({ ...common, type: 'rating', fields: { scale, display: 'slider' } });
  } else if (kind === 'dateTime' || kind === 'datetime') {
    draft.lose(name, 'the time of day: the date is asked');
    draft.add({ ...common, type: 'date' });
  } else {
    draft.lose(name, `the question: there is no type ${kind} here`);
  }
}

function loseFields(draft: Draft, name: string, row: Row): void {
  const fields = {
    choice_filter: 'its options depend on an earlier answer: give them show_if',
    calculation: 'its answer is computed',
    default: 'it has a default answer',
  };
  for (const [field, what] of Object.entries(fields)) {
    if (row[field] !== undefined) {
      draft.lose(name, what);
    }
  }
  if (Object.keys(row).some((field) => /^(media::)?(image|audio|video)/.test(field))) {
    draft.lose(name, 'a picture or recording');
  }
  if (row.constraint !== undefined && !/^(integer|int|decimal)$/.test(row.type ?? '')) {
    draft.lose(name, `the constraint ${row.constraint}`);
  }
}

/** The least and the greatest number of a constraint such as `. >= 0 and . <= 120`. */
function limitsOf(draft: Draft, name: string, { constraint, type }: Row) {
  const limits: { minimum?: number; maximum?: number } = {};
  if (constraint === undefined) {
    return limits;
  }
  // The next number that a limit excludes.
  const step = type === 'decimal' ? 0.000001 : 1;
  try {
    const expression = parseExpression(constraint, CONSTRAINT);
    for (const part of 'all' in expression ? expression.all : [expression]) {
      if (!('op' in part) || typeof part.value !== 'number') {
        throw new InexpressibleError('more than limits');
      }
      if (part.op === 'least' || part.op === 'above') {
        limits.minimum = part.value + (part.op === 'above' ? step : 0);
      } else if (part.op === 'most' || part.op === 'below') {
        limits.maximum = part.value - (part.op === 'below' ? step : 0);
      } else {
        throw new InexpressibleError('more than limits');
      }
    }
    return limits;
  } catch (error) {
    if (!(error instanceof InexpressibleError)) {
      throw error;
    }
    draft.lose(name, `the constraint ${constraint}`);
    return {};
  }
}
