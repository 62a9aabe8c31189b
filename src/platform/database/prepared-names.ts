import { createHash } from 'node:crypto';

/** Maximum number of names. Each connection keeps what it has prepared until it closes. */
const NAMES_MAXIMUM = 500;

/**
 * Maximum number of names for the INSERTs into a table, and for the UPDATEs of it. Their texts name
 * the columns that a client sends, so one that sends every combination would use up all names.
 */
const CHANGES_MAXIMUM = 30;

const CHANGE = /^\s*(?:INSERT INTO|UPDATE) \w+/;

/** Characters of a name, each of which has six bits of the hash. */
const NAME_LENGTH = 22;

/**
 * The names of prepared statements: few enough to be kept, and each a hash of the text, so that a
 * name means the same in every process. Behind a pooler, instances share what they have prepared.
 */
export class PreparedNames {
  private readonly names = new Map<string, string>();
  private readonly changes = new Map<string, number>();

  /** Returns the name of a statement; `undefined` beyond a maximum. */
  of(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= NAMES_MAXIMUM || !this.admits(text)) {
      return name;
    }
    const added = createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH);
    this.names.set(text, added);
    return added;
  }

  private admits(text: string): boolean {
    const change = CHANGE.exec(text)?.[0];
    if (change === undefined) {
      return true;
    }
    const count = this.changes.get(change) ?? 0;
    if (count < CHANGES_MAXIMUM) {
      this.changes.set(change, count + 1);
    }
    return count < CHANGES_MAXIMUM;
  }
}
