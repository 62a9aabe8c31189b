import type { Expression } from './condition.js';
import type { Choice, Common, Draft } from './draft.js';

/** A text, or texts by language. */
export type Text = string | Record<string, string> | undefined;

/** A question of SurveyJS, or a panel of them. */
export interface Element {
  type: string;
  name: string;
  title?: Text;
  description?: Text;
  html?: Text;
  isRequired?: boolean;
  visibleIf?: string;
  elements?: Element[];
  choices?: unknown[];
  [field: string]: any;
}

/** The text in the questionnaire's own language. */
export function textOf(draft: Draft, text: Text): string {
  if (typeof text === 'object' && text !== null) {
    const [first = ''] = Object.values(text);
    const others = Object.keys(text).filter((language) => language !== 'default');
    if (others.length > 0) {
      draft.lose(null, 'texts in other languages');
    }
    return text.default ?? text.en ?? first;
  }
  return text ?? '';
}

/** Adds a question of one of the types that have one here. */
export function addQuestion(
  draft: Draft,
  element: Element,
  conditions: readonly Expression[],
): void {
  const { name, type, isRequired: required } = element;
  const hint = textOf(draft, element.description);
  const title = textOf(draft, element.title) || name;
  const common = { name, text: hint === '' ? title : `${title} (${hint})`, required, conditions };
  const shuffle = element.choicesOrder === 'random' && { shuffle: true };
  switch (type) {
    case 'html':
      draft.add({ ...common, text: textOf(draft, element.html), type: 'statement' });
      return;
    case 'text':
      addText(draft, element, common);
      return;
    case 'comment':
      draft.add({ ...common, type: 'descriptive', fields: lengthOf(element) });
      return;
    case 'radiogroup':
    case 'dropdown':
    case 'buttongroup':
      draft.add({
        ...common,
        type: 'single_choice',
        options: choicesOf(draft, element),
        fields: { ...shuffle, ...commentOf(element) },
      });
      return;
    case 'checkbox':
    case 'tagbox':
      draft.add({
        ...common,
        type: 'multiple_choice',
        options: choicesOf(draft, element),
        fields: {
          ...shuffle,
          ...commentOf(element),
          ...(element.minSelectedChoices > 0 && { minimum_choices: element.minSelectedChoices }),
          ...(element.maxSelectedChoices > 0 && { maximum_choices: element.maxSelectedChoices }),
        },
      });
      return;
    case 'boolean':
      draft.add({
        ...common,
        type: 'single_choice',
        options: [
          { value: 'true', text: textOf(draft, element.labelTrue) || 'Yes' },
          { value: 'false', text: textOf(draft, element.labelFalse) || 'No' },
        ],
      });
      return;
    case 'ranking':
      draft.add({
        ...common,
        type: 'ranking',
        options: choicesOf(draft, element),
        fields: { ...shuffle },
      });
      return;
    case 'rating':
      addRating(draft, element, common);
      return;
    case 'matrix':
      draft.add({
        ...common,
        type: 'matrix',
        required: element.isAllRowRequired === true || required,
        options: choiceList(draft, element.columns),
        rows: choiceList(draft, element.rows),
        cells: 'single_choice',
      });
      return;
    case 'multipletext':
      for (const item of (element.items ?? []) as Element[]) {
        const text = `${title}: ${textOf(draft, item.title) || item.name}`;
        const each = { ...common, name: `${name}.${item.name}`, text };
        addText(draft, item, { ...each, required: item.isRequired });
      }
      return;
    default:
      draft.lose(name, `the question: there is no type ${type} here`);
  }
}

function addText(draft: Draft, element: Element, common: Common): void {
  const { inputType = 'text', min, max } = element;
  const between = {
    ...(min !== undefined && min !== '' && { minimum: min as unknown }),
    ...(max !== undefined && max !== '' && { maximum: max as unknown }),
  };
  switch (inputType) {
    case 'number':
    case 'range': {
      const step = String(element.step ?? 1);
      const decimals = step.includes('.') ? { decimals: step.split('.')[1]?.length ?? 0 } : {};
      draft.add({ ...common, type: 'number', fields: { ...between, ...decimals } });
      return;
    }
    case 'date':
      draft.add({ ...common, type: 'date', fields: between });
      return;
    case 'month':
      draft.add({ ...common, type: 'date', fields: { precision: 'month', ...between } });
      return;
    case 'datetime-local':
      draft.lose(common.name, 'the time of day: the date is asked');
      draft.add({ ...common, type: 'date' });
      return;
    case 'email':
    case 'url':
    case 'time':
      draft.add({ ...common, type: 'text', fields: { format: inputType } });
      return;
    default:
      if (inputType !== 'text') {
        draft.lose(common.name, `the input ${inputType}: a text is asked`);
      }
      draft.add({ ...common, type: 'text', fields: lengthOf(element) });
  }
}

function addRating(draft: Draft, element: Element, common: Common): void {
  const values = element.rateValues as unknown[] | undefined;
  if (values !== undefined && values.length > 0) {
    draft.add({ ...common, type: 'single_choice', options: choiceList(draft, values) });
    return;
  }
  const min = Number(element.rateMin ?? 1);
  const max = Number(element.rateMax ?? (element.rateCount ? min + element.rateCount - 1 : 5));
  const labels = {
    min_label: textOf(draft, element.minRateDescription),
    max_label: textOf(draft, element.maxRateDescription),
  };
  const given = Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== ''));
  const scale = { min, max, step: Number(element.rateStep ?? 1), ...given };
  const display = element.rateType === 'stars' && { display: 'stars' };
  draft.add({ ...common, type: 'rating', fields: { scale, ...display } });
}

function lengthOf({ maxLength }: Element) {
  return maxLength > 0 ? { maximum_length: maxLength as number } : {};
}

function commentOf({ hasComment, showCommentArea }: Element) {
  return hasComment === true || showCommentArea === true ? { comment: true } : {};
}

function choicesOf(draft: Draft, element: Element): Choice[] {
  const isOn = (...names: string[]) => names.some((name) => element[name] === true);
  const isMultiple = element.type === 'checkbox' || element.type === 'tagbox';
  return [
    ...choiceList(draft, element.choices),
    ...(isOn('hasOther', 'showOtherItem')
      ? [{ value: 'other', text: textOf(draft, element.otherText) || 'Other', other: true }]
      : []),
    ...(isOn('hasNone', 'showNoneItem')
      ? [{ value: 'none', text: textOf(draft, element.noneText) || 'None', exclusive: isMultiple }]
      : []),
  ];
}

function choiceList(draft: Draft, items: readonly unknown[] = []): Choice[] {
  return items.map((item) => {
    if (typeof item !== 'object' || item === null) {
      return { value: String(item), text: String(item) };
    }
    const { value, text, name, title, visibleIf } = item as Record<string, any>;
    const id = String(value ?? name);
    if (visibleIf !== undefined) {
      draft.lose(null, `option ${id} is shown under a condition`);
    }
    return { value: id, text: textOf(draft, text ?? title) || id };
  });
}
