import { InterruptibleTurns, Turns } from './turns';

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

describe('turns that can be interrupted', () => {
  it('end with an error of the client if it has gone, and of the service if it stops', async () => {
    const turns = new InterruptibleTurns('Stopped.');
    const { signal } = new AbortController();
    await turns.next(signal);
    await expect(turns.next(AbortSignal.abort())).rejects.toMatchObject({
      code: 'request_timeout',
    });
    turns.stop();
    await expect(turns.next(signal)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'Stopped.',
    });
  });
});
