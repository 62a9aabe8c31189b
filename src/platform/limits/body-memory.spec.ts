import type { FastifyRequest } from 'fastify';
import { BodyMemory, countedBytes } from './body-memory';
import { KIB, MIB } from './body-limit';

const requestOf = (company: string) =>
  ({ principal: { keyId: company } }) as unknown as FastifyRequest;
const bodyMemory = () => new BodyMemory(({ principal }) => principal!.keyId!);

describe('the memory for bodies', () => {
  it('refuses more than 16 MiB for one company with rate_limited, and lets others through', () => {
    const memory = bodyMemory();
    expect(memory.hold(requestOf('a'), 16 * MIB)).toBeUndefined();
    const refusal = memory.hold(requestOf('a'), 1);
    expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } });
    expect(memory.hold(requestOf('b'), 16 * MIB)).toBeUndefined();
  });

  it('refuses more than 48 MiB in all with service_unavailable', () => {
    const memory = bodyMemory();
    for (const company of ['a', 'b', 'c']) {
      expect(memory.hold(requestOf(company), 16 * MIB)).toBeUndefined();
    }
    const refusal = memory.hold(requestOf('d'), 1);
    expect(refusal).toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': '1' } });
  });

  it('releases what a request held, once', () => {
    const memory = bodyMemory();
    const [first, second] = [requestOf('a'), requestOf('a')];
    memory.hold(first, 4 * MIB);
    memory.hold(first, 4 * MIB);
    memory.hold(second, 8 * MIB);
    memory.release(first);
    memory.release(first);
    expect(memory.hold(second, 8 * MIB)).toBeUndefined();
    expect(memory.hold(second, 1)?.code).toBe('rate_limited');
    memory.release(second);
    expect(memory.hold(first, 16 * MIB)).toBeUndefined();
  });

  it('does not count the first 16 KiB of a body', () => {
    expect([0, 16 * KIB, 16 * KIB + 1, MIB].map(countedBytes)).toEqual([0, 0, 1, MIB - 16 * KIB]);
  });
});
