import { Turns } from './turns';

describe('turns of the event loop', () => {
  it('run one at a time, in order, with other work in between', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const serveOthers = () => {
      seen.push('other');
      if (seen.length < 8) {
        setImmediate(serveOthers);
      }
    };
    setImmediate(serveOthers);
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await turns.next();
        seen.push(name);
      }),
    );
    expect(seen.join(' ')).toMatch(/^other a other b other c/);
    await turns.next();
  });
});
