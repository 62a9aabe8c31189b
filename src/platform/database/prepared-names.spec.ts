import { PreparedNames } from './prepared-names';

/** UPDATEs of a table with every combination of this many columns. */
const updates = (table: string, columns: number): string[] =>
  Array.from({ length: 2 ** columns - 1 }, (_, combination) => {
    const set = Array.from({ length: columns }, (_, column) => column)
      .filter((column) => ((combination + 1) >> column) & 1)
      .map((column, index) => `column_${column} = $${index + 1}`);
    return `UPDATE ${table}\n     SET ${set.join(', ')}`;
  });

describe('the names of prepared statements', () => {
  it('are one for each text', () => {
    const names = new PreparedNames();
    const texts = [
      'SELECT $1',
      'UPDATE campaign SET title = $1',
      'INSERT INTO api_key VALUES ($1)',
    ];
    const first = texts.map((text) => names.of(text));
    expect(new Set(first).size).toBe(texts.length);
    expect(texts.map((text) => names.of(text))).toEqual(first);
  });

  it('depend on nothing but the text, whatever a process has prepared before', () => {
    const [one, other] = [new PreparedNames(), new PreparedNames()];
    other.of('SELECT 1 + $1');
    expect(one.of('SELECT $1')).toBe(other.of('SELECT $1'));
    expect(one.of('SELECT $1')).not.toBe(other.of('SELECT 1 + $1'));
    // A server would cut a longer one.
    expect(one.of('SELECT $1')).toMatch(/^[\w-]{22}$/);
  });

  it('are left for other statements by who sends every combination of fields', () => {
    const names = new PreparedNames();
    const named = updates('campaign', 14).filter((text) => names.of(text) !== undefined);
    expect(named).toHaveLength(30);
    for (const text of ['SELECT $1', 'UPDATE guardrail SET name = $1', named[0]!]) {
      expect(names.of(text)).toBeDefined();
    }
  });

  it('are bounded', () => {
    const names = new PreparedNames();
    const texts = Array.from({ length: 600 }, (_, number) => `SELECT $1 + ${number}`);
    expect(texts.filter((text) => names.of(text) !== undefined)).toHaveLength(500);
  });
});
