import { createHash } from 'node:crypto';

/** What an archive has, in the order in which it removes it. */
export const PART_KINDS = ['deliveries', 'events', 'transfers'] as const;

export type PartKind = (typeof PART_KINDS)[number];

/** A file of a company's archive. */
export interface Part {
  kind: PartKind;
  /** Its name in the company's folder. */
  file: string;
  rows: number;
  /** SHA-256 of its lines before compression, in hexadecimal. */
  sha256: string;
  /** Of events: the numbers of the first and the last one. */
  from?: number;
  to?: number;
  /** What was older than this time was archived. */
  before: string;
}

/** A line of a manifest: a part, chained to the line before it. */
export interface Entry extends Part {
  part: number;
  /** SHA-256 of the line before, in hexadecimal; 64 zeros in the first line. */
  previous: string;
}

/** A manifest as it was read. */
export interface Manifest {
  entries: Entry[];
  /** SHA-256 of the last line: whoever knows it can tell whether any line was changed. */
  head: string;
  /** Bytes of the whole lines. An interrupted run can leave a part of a line after them. */
  bytes: number;
}

const START = '0'.repeat(64);

export const sha256 = (text: string | Buffer): string =>
  createHash('sha256').update(text).digest('hex');

/** A name that stays in its folder: no part of a path, no hidden file. */
const FILE = /^\w[\w.-]*$/;

/** Returns the line that adds a part to a manifest, with its line feed. */
export function lineOf({ entries, head }: Manifest, part: Part): string {
  const entry: Entry = { part: entries.length + 1, ...part, previous: head };
  return `${JSON.stringify(entry)}\n`;
}

/** @throws Error naming the first line that does not follow from the one before, or whose file is
 *   not in the folder
 */
export function readManifest(text: string): Manifest {
  const lines = text.split('\n').slice(0, -1);
  const manifest: Manifest = { entries: [], head: START, bytes: 0 };
  for (const line of lines) {
    const entry = parse(line);
    const number = manifest.entries.length + 1;
    if (entry?.part !== number || entry.previous !== manifest.head) {
      throw new Error(`line ${number} of the manifest does not follow from the one before`);
    }
    if (!FILE.test(entry.file)) {
      throw new Error(`line ${number} of the manifest names no file of its folder`);
    }
    manifest.entries.push(entry);
    manifest.head = sha256(line);
    manifest.bytes += Buffer.byteLength(line) + 1;
  }
  return manifest;
}

function parse(line: string): Entry | undefined {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

/** Returns where the parts with events do not follow each other without gap and overlap. */
export function gapsOf(entries: readonly Entry[]): string[] {
  const events = entries.filter(({ kind }) => kind === 'events');
  return events.flatMap(({ file, from = 0 }, index) => {
    const before = events[index - 1]?.to;
    return before === undefined || from === before + 1
      ? []
      : [`${file} begins at ${from}, not at ${before + 1}`];
  });
}
