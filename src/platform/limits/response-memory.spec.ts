import type { ServerResponse } from 'node:http';
import { MIB } from './body-limit';
import { ResponseMemory } from './response-memory';

describe('the memory for responses', () => {
  let closed: string[];
  let memory: ResponseMemory;
  const names = new Map<ServerResponse, string>();

  beforeEach(() => {
    closed = [];
    memory = new ResponseMemory((response) => closed.push(names.get(response)!));
  });

  function hold(name: string, caller: string, bytes: number): ServerResponse {
    const response = {} as ServerResponse;
    names.set(response, name);
    memory.hold(response, caller, bytes);
    return response;
  }

  it("gives up a caller's oldest responses above 32 MiB, and no others", () => {
    hold('other', 'b', 20 * MIB);
    hold('first', 'a', 16 * MIB);
    hold('second', 'a', 16 * MIB);
    expect(closed).toEqual([]);
    hold('third', 'a', 20 * MIB);
    expect(closed).toEqual(['first', 'second']);
  });

  it('gives up the responses of the caller who has most, above 96 MiB in all', () => {
    hold('small', 'a', MIB);
    for (const caller of ['b', 'c', 'd']) {
      hold(`${caller} 1`, caller, 10 * MIB);
      hold(`${caller} 2`, caller, 20 * MIB);
    }
    hold('last', 'e', 4 * MIB);
    expect(closed).toEqual([]);
    hold('too much', 'd', 2 * MIB);
    expect(closed).toEqual(['d 1']);
  });

  it('counts a response until it is released, and once', () => {
    const response = hold('first', 'a', 20 * MIB);
    memory.hold(response, 'a', 20 * MIB);
    memory.release(response);
    memory.release(response);
    hold('second', 'a', 32 * MIB);
    expect(closed).toEqual([]);
    hold('third', 'a', 1);
    expect(closed).toEqual(['second']);
  });

  it('gives up a response that is too large on its own', () => {
    hold('large', 'a', 33 * MIB);
    hold('small', 'a', 32 * MIB);
    expect(closed).toEqual(['large']);
  });
});
