import { parseXml, XmlElement, type XmlNode } from '@rgrove/parse-xml';
import { strFromU8, unzipSync } from 'fflate';

/** Rows of a sheet: cells by the names in its first row. */
export type Rows = Record<string, string>[];

/** A file that is larger when it is unpacked is no questionnaire. */
const PART_MAXIMUM = 50 * 1024 * 1024;

const NEEDED =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/.+\.xml)$/;

/** Returns the elements with a name, at any depth. */
export function elementsOf(node: XmlNode | XmlElement, name: string): XmlElement[] {
  const children = 'children' in node ? (node.children as XmlNode[]) : [];
  return children.flatMap((child) =>
    child instanceof XmlElement
      ? [...(child.name === name ? [child] : []), ...elementsOf(child, name)]
      : [],
  );
}

/** Reads the sheets of a workbook of Excel, by their names. */
export function readWorkbook(bytes: Uint8Array): Map<string, Rows> {
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => NEEDED.test(name) && originalSize <= PART_MAXIMUM,
  });
  const xml = (name: string) =>
    parseXml(strFromU8(parts[name] ?? new TextEncoder().encode('<x/>')));
  const strings = elementsOf(xml('xl/sharedStrings.xml'), 'si').map((each) =>
    elementsOf(each, 't')
      .map(({ text }) => text)
      .join(''),
  );
  const files = new Map(
    elementsOf(xml('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [
      attributes.Id,
      `xl/${(attributes.Target ?? '').replace(/^\/?(xl\/)?/, '')}`,
    ]),
  );
  return new Map(
    elementsOf(xml('xl/workbook.xml'), 'sheet').map(({ attributes }) => [
      attributes.name ?? '',
      rowsOf(elementsOf(xml(files.get(attributes['r:id']) ?? ''), 'row'), strings),
    ]),
  );
}

function rowsOf(rows: readonly XmlElement[], strings: readonly string[]): Rows {
  const [head = new Map<string, string>(), ...rest] = rows.map((row) => cellsOf(row, strings));
  return rest.map((cells) =>
    Object.fromEntries(
      [...head].flatMap(([column, name]): [string, string][] => {
        const value = cells.get(column)?.trim() ?? '';
        return name.trim() === '' || value === '' ? [] : [[name.trim(), value]];
      }),
    ),
  );
}

/** The texts of a row by the letters of their columns. */
function cellsOf(row: XmlElement, strings: readonly string[]): Map<string, string> {
  return new Map(
    elementsOf(row, 'c').map((cell, index) => {
      const { r, t } = cell.attributes;
      const column = r?.replace(/\d+$/, '') ?? String(index);
      const [value] = elementsOf(cell, 'v');
      const inline = elementsOf(cell, 't')
        .map(({ text }) => text)
        .join('');
      const text = value?.text ?? inline;
      return [column, t === 's' ? (strings[Number(text)] ?? '') : text];
    }),
  );
}
