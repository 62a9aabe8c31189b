import type { Comparison } from './comparison.js';
import type { Expression } from './condition.js';
import { type Choice, type Common, Draft } from './draft.js';
import { conditionsIn, type Dialect } from './expression.js';
import { byOrder, FIXED_ANSWERS, type LimeQuestion, LimeTables } from './limesurvey-tables.js';

const LOST: Readonly<Record<string, string>> = {
  '|': 'a file is uploaded',
  '*': 'its value is computed',
  ':': 'a table of numbers',
  ';': 'a table of texts',
  '1': 'a table with two scales',
  I: 'the language is chosen: platforms send it',
};

/** Converts a survey of LimeSurvey (.lss). */
export function fromLimeSurvey(text: string) {
  return new Conversion(new LimeTables(text)).run();
}

class Conversion {
  readonly #draft = new Draft();
  /** Codes of questions, the longest first: a table's row is written Code_Row. */
  readonly #codes: string[];
  readonly #types: Map<string, string>;

  constructor(private readonly tables: LimeTables) {
    const [survey = {}] = tables.rows('surveys');
    const questions = tables.rows('questions').filter(({ parent_qid = '0' }) => parent_qid === '0');
    this.#types = new Map(questions.map(({ title = '', type = '' }) => [title, type]));
    this.#codes = [...this.#types.keys()].toSorted((one, other) => other.length - one.length);
    if ((survey.additional_languages ?? '').trim() !== '') {
      this.#draft.lose(null, 'texts in other languages');
    }
    if (tables.rows('quota').length > 0) {
      this.#draft.lose(null, 'quotas: write them in targeting');
    }
  }

  run() {
    const { surveyls_title = '', surveyls_description = '' } =
      this.tables.own('surveys_languagesettings', 'surveyls_language')[0] ?? {};
    const groups = this.tables.own('groups', 'language').toSorted(byOrder('group_order'));
    for (const group of groups) {
      const { gid = '', grelevance } = group;
      this.#draft.section(
        group.group_name ?? this.tables.text('group_l10ns', 'gid', gid, 'group_name'),
      );
      const conditions = this.#relevance(`group ${gid}`, grelevance);
      this.tables
        .own('questions', 'language')
        .filter((question) => question.gid === gid && (question.parent_qid ?? '0') === '0')
        .toSorted(byOrder('question_order'))
        .forEach((question) => this.#add(question as LimeQuestion, conditions));
    }
    return { draft: this.#draft, title: surveyls_title, description: surveyls_description };
  }

  #add(question: LimeQuestion, outer: readonly Expression[]): void {
    const { qid, type, title: name } = question;
    const draft = this.#draft;
    const lost = LOST[type];
    if (lost !== undefined) {
      draft.lose(name, `the question: ${lost}`);
      return;
    }
    const own = (field: string) =>
      question[field] ?? this.tables.text('question_l10ns', 'qid', qid, field);
    const conditions = [...outer, ...this.#relevance(name, question.relevance)];
    const hasConditions = this.tables.rows('conditions').some((row) => row.qid === qid);
    if (question.relevance === undefined && hasConditions) {
      draft.lose(name, 'the conditions of an older version of LimeSurvey. It is always shown');
    }
    const common = {
      name,
      text: own('question'),
      required: question.mandatory === 'Y',
      conditions,
    };
    for (const attribute of ['array_filter', 'array_filter_exclude', 'em_validation_q']) {
      if (this.tables.attribute(question, attribute) !== undefined) {
        draft.lose(name, `the attribute ${attribute}`);
      }
    }
    const shuffle = this.tables.attribute(question, 'random_order') === '1' && { shuffle: true };
    const other: Choice[] =
      question.other === 'Y' ? [{ value: '-oth-', text: 'Other', other: true }] : [];
    const rows = this.tables.subquestions(question);
    const matrix = (options: Choice[]) =>
      draft.add({
        ...common,
        type: 'matrix',
        rows,
        options,
        cells: 'single_choice',
        fields: { ...shuffle },
      });
    const scale = (max: number) => ({ scale: { min: 1, max, step: 1 } });
    switch (type) {
      case 'L':
      case '!':
      case 'O':
      case 'Y':
      case 'G': {
        const options = [...(FIXED_ANSWERS[type] ?? this.tables.answers(question)), ...other];
        const comment = type === 'O' && { comment: true };
        draft.add({
          ...common,
          type: 'single_choice',
          options,
          fields: { ...shuffle, ...comment },
        });
        return;
      }
      case 'M':
      case 'P':
        this.#addMultiple(question, common, [...rows, ...other], { ...shuffle });
        return;
      case 'R':
        draft.add({
          ...common,
          type: 'ranking',
          options: this.tables.answers(question),
          fields: { ...shuffle },
        });
        return;
      case '5':
        draft.add({ ...common, type: 'rating', fields: scale(5) });
        return;
      case 'A':
      case 'B':
        draft.add({
          ...common,
          type: 'matrix',
          rows,
          cells: 'rating',
          fields: scale(type === 'A' ? 5 : 10),
        });
        return;
      case 'C':
      case 'E':
        matrix(FIXED_ANSWERS[type] ?? []);
        return;
      case 'F':
      case 'H':
        matrix(this.tables.answers(question));
        return;
      case 'S':
        draft.add({ ...common, type: 'text' });
        return;
      case 'T':
      case 'U':
        draft.add({ ...common, type: 'descriptive' });
        return;
      case 'N':
        draft.add({ ...common, type: 'number', fields: this.#limits(question) });
        return;
      case 'K':
      case 'Q':
        for (const { value, text } of rows) {
          const each = { ...common, name: `${name}_${value}`, text: `${common.text} ${text}` };
          draft.add({ ...each, type: type === 'K' ? 'number' : 'text' });
        }
        return;
      case 'D':
        draft.add({ ...common, type: 'date' });
        return;
      case 'X':
        draft.add({ ...common, type: 'statement' });
        return;
      default:
        draft.lose(name, `the question: there is no type ${type} here`);
    }
  }

  #addMultiple(question: LimeQuestion, common: Common, options: Choice[], shuffle: object): void {
    if (question.type === 'P') {
      this.#draft.lose(common.name, 'a comment for each option: one is asked');
    }
    const exclusive = (this.tables.attribute(question, 'exclude_all_others') ?? '').split(';');
    const [least, most] = ['min_answers', 'max_answers'].map((name) =>
      Number(this.tables.attribute(question, name) ?? 0),
    );
    this.#draft.add({
      ...common,
      type: 'multiple_choice',
      options: options.map((each) =>
        exclusive.includes(each.value) ? { ...each, exclusive: true } : each,
      ),
      fields: {
        ...shuffle,
        ...(question.type === 'P' && { comment: true }),
        ...(least && { minimum_choices: least }),
        ...(most && { maximum_choices: most }),
      },
    });
  }

  #limits(question: LimeQuestion) {
    const [least, most] = ['min_num_value_n', 'max_num_value_n'].map((name) =>
      this.tables.attribute(question, name),
    );
    const whole = this.tables.attribute(question, 'num_value_int_only') === '1';
    return {
      ...(least !== undefined && { minimum: Number(least) }),
      ...(most !== undefined && { maximum: Number(most) }),
      ...(!whole && { decimals: 6 }),
    };
  }

  #relevance(name: string, text: string | undefined): Expression[] {
    if (text === undefined || /^\s*(1\s*)?$/.test(text)) {
      return [];
    }
    const dialect: Dialect = {
      name: /^(?!(?:and|or|not|is_empty|true|false)\b)([A-Za-z][\w]*(?:\.(?:NAOK|code|value|valueNAOK|shown))?)/i,
      functions: { is_empty: (each) => this.#refer(each, 'none', undefined) },
      refer: (each, op, value) => this.#refer(each, op, value),
    };
    return conditionsIn(this.#draft, name, text, dialect);
  }

  /** What a variable means: a question, a row of a table, or an option that is ticked or not. */
  #refer(variable: string, op: Comparison['op'], value: Comparison['value']): Expression {
    const code = variable.replace(/\..*$/, '');
    const name = this.#codes.find((each) => each === code || code.startsWith(`${each}_`)) ?? code;
    const part = code.slice(name.length + 1);
    if (part === '') {
      return { name, op, value };
    }
    if (!/^[MP]$/.test(this.#types.get(name) ?? '')) {
      return { name, row: part, op, value };
    }
    const option = part === 'other' ? '-oth-' : part;
    const isTicked =
      (op === 'equal' && value === 'Y') || op === 'some' || (op === 'unequal' && value !== 'Y');
    return { name, op: isTicked ? 'has' : 'lacks', value: option };
  }
}
