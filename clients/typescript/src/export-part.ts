/** What the last line of an export in NDJSON says. */
export interface LastLine {
  covers: { from: number; to: number };
  count: number;
  sha256: string;
}

const LINE_FEED = 10;
const QUOTE = 34;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Finds the rows in the bytes of one response, as they arrive. */
export class ExportPart {
  /** How many whole rows have arrived. */
  rows = 0;
  /** The number of the last whole row. */
  lastSeq: number | undefined;
  /** The head of a table, with its line end. */
  head: string | undefined;
  /** The last line of NDJSON. */
  end: LastLine | undefined;
  readonly #isTable: boolean;
  #rest: Uint8Array = new Uint8Array();

  constructor(isTable: boolean) {
    this.#isTable = isTable;
  }

  /** Whether the last bytes are no whole row. */
  get isCut(): boolean {
    return this.#rest.length > 0;
  }

  /**
   * Returns the rows that are whole now, without the head and the last line.
   *
   * @throws SyntaxError if a line is neither of them and has no number
   */
  take(bytes: Uint8Array): Uint8Array {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    let [from, to, at, last] = [0, 0, 0, 0];
    for (const end of lineEnds(all, this.#isTable)) {
      const isLast = !this.#isTable && all[at + 2] === 'c'.charCodeAt(0);
      if (this.#isTable && this.head === undefined) {
        this.head = utf8.decode(all.subarray(at, end));
        from = end;
      } else if (isLast && this.end === undefined) {
        this.end = JSON.parse(utf8.decode(all.subarray(at, end))) as LastLine;
      } else if (this.end === undefined) {
        this.rows += 1;
        last = at;
        to = end;
      } else {
        throw new SyntaxError('a line follows the last one');
      }
      at = end;
    }
    this.#rest = all.slice(at);
    const rows = all.subarray(from, Math.max(from, to));
    if (rows.length > 0) {
      this.lastSeq = seqOf(all.subarray(last, to));
    }
    return rows;
  }
}

/** The positions after the end of each line. A quoted text in a table can have line ends too. */
function* lineEnds(bytes: Uint8Array, isTable: boolean): Generator<number, void, undefined> {
  if (!isTable) {
    for (let at = 0; (at = bytes.indexOf(LINE_FEED, at) + 1) > 0;) {
      yield at;
    }
    return;
  }
  let quoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) {
      quoted = !quoted;
    } else if (bytes[at] === LINE_FEED && !quoted) {
      yield at + 1;
    }
  }
}

/** The number of a row, with which it begins in both formats. */
function seqOf(row: Uint8Array): number {
  const [, seq] = /^(?:\{"seq":)?(\d+)[,}]/.exec(utf8.decode(row.subarray(0, 40))) ?? [];
  if (seq === undefined) {
    throw new SyntaxError('a row has no number');
  }
  return Number(seq);
}
