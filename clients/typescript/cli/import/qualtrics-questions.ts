import type { Choice, Common, Draft } from './draft.js';
import { plainText } from './plain-text.js';
import type { Logic } from './qualtrics-logic.js';

/** Entries by number. */
export type Listed<T> = T[] | Record<string, T>;

interface QsfChoice {
  Display?: string;
  TextEntry?: string | boolean;
  ExclusiveAnswer?: boolean;
}

/** A question of Qualtrics. */
export interface QsfQuestion {
  QuestionID: string;
  DataExportTag?: string;
  QuestionText?: string;
  QuestionType: string;
  Selector?: string;
  SubSelector?: string;
  Choices?: Listed<QsfChoice>;
  ChoiceOrder?: (string | number)[];
  Answers?: Listed<QsfChoice>;
  AnswerOrder?: (string | number)[];
  Labels?: Listed<QsfChoice>;
  Configuration?: { CSSliderMin?: number; CSSliderMax?: number; StarCount?: number };
  Validation?: { Settings?: Record<string, any> };
  DisplayLogic?: Logic;
  SkipLogic?: unknown;
  Randomization?: { Type?: string };
  QuestionJS?: unknown;
}

/** Adds a question that is answered in text, or with a number or date. */
export function addText(
  draft: Draft,
  { Selector }: QsfQuestion,
  common: Common,
  settings: Record<string, any>,
  choices: readonly Choice[],
): void {
  const content = String(settings.ContentType ?? settings.Type ?? '');
  if (Selector === 'FORM') {
    choices.forEach(({ value, text }) =>
      draft.add({
        ...common,
        name: `${common.name}_${value}`,
        text: `${plainText(common.text)} ${text}`,
        type: 'text',
      }),
    );
    return;
  }
  if (content === 'ValidNumber') {
    const { Min, Max, NumDecimals } = (settings.ValidNumber ?? {}) as Record<string, string>;
    const fields = {
      ...(Min && { minimum: Number(Min) }),
      ...(Max && { maximum: Number(Max) }),
      ...(NumDecimals && { decimals: Number(NumDecimals) }),
    };
    draft.add({ ...common, type: 'number', fields });
  } else if (content === 'ValidDate') {
    draft.add({ ...common, type: 'date' });
  } else {
    const format = { ValidEmail: 'email', ValidURL: 'url' }[content];
    if (format === undefined && settings.CustomValidation !== undefined) {
      draft.lose(common.name, 'the answer is validated');
    }
    const isLong = Selector === 'ML' || Selector === 'ESTB';
    draft.add({
      ...common,
      type: isLong ? 'descriptive' : 'text',
      fields: { ...(format && { format }) },
    });
  }
}

/** Adds a rating, or a table of ratings. */
export function addSliders(
  draft: Draft,
  question: QsfQuestion,
  common: Common,
  rows: readonly Choice[],
): void {
  const { CSSliderMin = 0, CSSliderMax = 100, StarCount } = question.Configuration ?? {};
  const isStar = question.Selector === 'STAR';
  const scale = isStar
    ? { min: 1, max: Number(StarCount ?? 5), step: 1 }
    : { min: Number(CSSliderMin), max: Number(CSSliderMax), step: 1 };
  if (rows.length > 1) {
    draft.add({ ...common, type: 'matrix', rows, fields: { scale }, cells: 'rating' });
  } else {
    const [row] = rows;
    const text = row === undefined ? common.text : `${common.text} ${row.text}`;
    draft.add({
      ...common,
      text,
      type: 'rating',
      fields: { scale, display: isStar ? 'stars' : 'slider' },
    });
  }
}

/** Options or rows in their order. */
export function choicesOf(
  list: Listed<QsfChoice> | undefined,
  order: readonly (string | number)[] = [],
): Choice[] {
  const all = Object.entries(list ?? {});
  const sorted =
    order.length === 0 ? all : order.flatMap((id) => all.filter(([value]) => value === String(id)));
  return sorted.map(([value, { Display = '', TextEntry, ExclusiveAnswer }]) => ({
    value,
    text: Display,
    ...(String(TextEntry) === 'true' && { other: true }),
    ...(ExclusiveAnswer === true && { exclusive: true }),
  }));
}
