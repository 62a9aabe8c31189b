import * as fc from 'fast-check';
import { stringifyInTurns } from './json-pieces';

describe('JSON in pieces', () => {
  it('is what JSON.stringify writes', async () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 7 },
        fc.constantFrom(null, undefined, '', 'ä"\u2028', 0.1, true, new Date(0), [], {}),
        fc.array(tie('value'), { maxLength: 25 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), {
          maxKeys: 4,
          noNullPrototype: true,
        }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(value, async (data) => {
        const envelope = { success: true, data };
        expect(await stringifyInTurns(envelope)).toBe(JSON.stringify(envelope));
      }),
    );
  });
});
