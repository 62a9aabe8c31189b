import { inTurns } from './turns';

/** Levels of arrays and objects whose members are written one by one: to the lists in entries. */
const LEVELS = 4;

/** Entries of the innermost lists that are written at once. */
const ENTRIES = 10;

/** The JSON of a value in short pieces. */
function* piecesOf(value: unknown, levels = LEVELS): Generator<string> {
  if (Array.isArray(value)) {
    yield* listOf(value, levels);
  } else if (levels > 0 && isPlain(value)) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined) {
        yield `${before}${JSON.stringify(name)}:`;
        yield* piecesOf(member, levels - 1);
        before = ',';
      }
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(value);
  }
}

function* listOf(entries: readonly unknown[], levels: number): Generator<string> {
  let before = '[';
  for (let first = 0; first < entries.length; first += ENTRIES) {
    const some = entries.slice(first, first + ENTRIES);
    if (levels === 0) {
      yield before + JSON.stringify(some).slice(1, -1);
      before = ',';
      continue;
    }
    for (const entry of some) {
      yield before;
      yield* piecesOf(entry ?? null, levels - 1);
      before = ',';
    }
  }
  yield before === '[' ? '[]' : ']';
}

/** Whether `JSON.stringify` writes the members of a value, and nothing else. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** Writes a value as `JSON.stringify` does, with turns of other requests in between. */
export async function stringifyInTurns(value: unknown): Promise<string> {
  let text = '';
  await inTurns(piecesOf(value), (piece) => {
    text += piece;
  });
  return text;
}
