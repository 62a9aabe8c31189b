import type { Comparison } from './comparison.js';
import type { Expression } from './condition.js';
import { Draft } from './draft.js';
import { conditionsIn, type Dialect } from './expression.js';
import { addQuestion, type Element, type Text, textOf } from './surveyjs-questions.js';

interface Model {
  title?: Text;
  description?: Text;
  pages?: (Partial<Element> & { elements?: Element[] })[];
  elements?: Element[];
}

const DIALECT: Dialect = {
  name: /^\{([^{}]+)\}/,
  functions: {},
  // A table's row is written {table.row}.
  refer: (path, op, value): Comparison => {
    const [name = '', row] = path.split('.');
    return { name, op, value, ...(row !== undefined && { row }) };
  },
};

/** Fields that do something which a question here cannot. */
const UNSUPPORTED = {
  enableIf: 'it is disabled under a condition',
  requiredIf: 'it is required under a condition only',
  validators: 'the answer is validated',
  choicesByUrl: 'its options come from a URL',
  choicesVisibleIf: 'its options are shown under a condition',
  defaultValue: 'it has a default answer',
  setValueExpression: 'its answer is computed',
} as const;

/** Types whose answers are no answers here. */
const LOST = {
  file: 'a file is uploaded',
  signaturepad: 'it is signed',
  image: 'it is a picture',
  imagepicker: 'pictures are chosen',
  imagemap: 'a place in a picture is chosen',
  expression: 'its value is computed',
  paneldynamic: 'its questions are repeated',
  matrixdynamic: 'its rows are added by the respondent',
} as const;

/** Converts a questionnaire of SurveyJS. */
export function fromSurveyJs(model: Model) {
  const draft = new Draft();
  const pages = model.pages ?? [{ elements: model.elements ?? [] }];
  for (const page of pages) {
    draft.section(textOf(draft, page.title));
    addAll(
      draft,
      page.elements ?? [],
      conditionsIn(draft, page.name ?? 'page', page.visibleIf, DIALECT),
    );
  }
  return {
    draft,
    title: textOf(draft, model.title),
    description: textOf(draft, model.description),
  };
}

function addAll(draft: Draft, elements: readonly Element[], outer: readonly Expression[]): void {
  for (const element of elements) {
    const { name, type, visibleIf } = element;
    const conditions = [...outer, ...conditionsIn(draft, name, visibleIf, DIALECT)];
    for (const [field, what] of Object.entries(UNSUPPORTED)) {
      if (element[field] !== undefined) {
        draft.lose(name, what);
      }
    }
    const lost = LOST[type as keyof typeof LOST];
    if (lost !== undefined) {
      draft.lose(name, `the question: ${lost}`);
    } else if (type === 'panel') {
      const title = textOf(draft, element.title);
      const before = draft.section(title);
      if (title === '') {
        draft.section(before);
      }
      addAll(draft, element.elements ?? [], conditions);
      draft.section(before);
    } else {
      addQuestion(draft, element, conditions);
    }
  }
}
