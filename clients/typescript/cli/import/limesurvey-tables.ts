import { parseXml, XmlElement } from '@rgrove/parse-xml';
import type { Choice } from './draft.js';
import { elementsOf } from './xlsx.js';

/** A row of a table, by its columns. */
export type Row = Record<string, string>;

/** A row of the table of questions. */
export interface LimeQuestion extends Row {
  qid: string;
  type: string;
  title: string;
}

function rowsOf(table: XmlElement): Row[] {
  return elementsOf(table, 'row').map((row) =>
    Object.fromEntries(
      row.children.flatMap((child) =>
        child instanceof XmlElement ? [[child.name, child.text]] : [],
      ),
    ),
  );
}

/** Compares rows by a column with numbers. */
export const byOrder = (field: string) => (one: Row, other: Row) =>
  Number(one[field] ?? 0) - Number(other[field] ?? 0);

/** The answers to questions of a type that has the same ones everywhere. */
export const FIXED_ANSWERS: Readonly<Record<string, Choice[]>> = {
  Y: [
    { value: 'Y', text: 'Yes' },
    { value: 'N', text: 'No' },
  ],
  G: [
    { value: 'F', text: 'Female' },
    { value: 'M', text: 'Male' },
  ],
  C: [
    { value: 'Y', text: 'Yes' },
    { value: 'U', text: 'Uncertain' },
    { value: 'N', text: 'No' },
  ],
  E: [
    { value: 'I', text: 'Increase' },
    { value: 'S', text: 'Same' },
    { value: 'D', text: 'Decrease' },
  ],
};

/** The tables of a survey. */
export class LimeTables {
  readonly #tables: Map<string, Row[]>;
  readonly #language: string;

  /** @throws XmlError if the text is no XML */
  constructor(text: string) {
    const children = parseXml(text).root?.children ?? [];
    const tables = children.filter((child): child is XmlElement => child instanceof XmlElement);
    this.#tables = new Map(tables.map((table) => [table.name, rowsOf(table)]));
    this.#language = this.rows('surveys')[0]?.language ?? 'en';
  }

  rows(table: string): Row[] {
    return this.#tables.get(table) ?? [];
  }

  /** The rows of a table in the survey's own language, if they have one. */
  own(table: string, field: string): Row[] {
    return this.rows(table).filter((row) => (row[field] ?? this.#language) === this.#language);
  }

  /** A text of a newer version, which has texts in tables of their own. */
  text(table: string, key: string, id: string, field: string): string {
    return this.own(table, 'language').find((row) => row[key] === id)?.[field] ?? '';
  }

  /** An attribute of a question. */
  attribute({ qid }: LimeQuestion, name: string): string | undefined {
    const row = this.rows('question_attributes').find(
      (each) => each.qid === qid && each.attribute === name,
    );
    return row?.value || undefined;
  }

  /** Rows of a table, or options that are questions of their own there. */
  subquestions({ qid }: LimeQuestion): Choice[] {
    const inTable = this.own('subquestions', 'language');
    const rows = inTable.length > 0 ? inTable : this.own('questions', 'language');
    return rows
      .filter((row) => row.parent_qid === qid)
      .toSorted(byOrder('question_order'))
      .map((row) => ({
        value: row.title ?? '',
        text: row.question ?? this.text('question_l10ns', 'qid', row.qid ?? '', 'question'),
      }));
  }

  /** Options. */
  answers({ qid }: LimeQuestion): Choice[] {
    return this.own('answers', 'language')
      .filter((row) => row.qid === qid)
      .toSorted(byOrder('sortorder'))
      .map((row) => ({
        value: row.code ?? '',
        text: row.answer ?? this.text('answer_l10ns', 'aid', row.aid ?? '', 'answer'),
      }));
  }
}
