import { FairQueue } from './fair-queue';

describe('a fair queue', () => {
  let started: string[];
  let ends: Record<string, () => void>;

  beforeEach(() => {
    started = [];
    ends = {};
  });

  const enter = (queue: FairQueue, name: string) =>
    queue.enter(name[0]!, (end) => {
      started.push(name);
      ends[name] = end;
    });

  it('lets one caller fill its capacity, and nobody else', () => {
    const queue = new FairQueue({ ofOne: () => 2 });
    ['a1', 'a2', 'a3', 'a4', 'b1'].forEach((name) => enter(queue, name));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    expect(queue.waiting).toBe(2);
    ends.b1!();
    expect(started).toHaveLength(3);
    ends.a2!();
    ends.a2!();
    expect(started.slice(3)).toEqual(['a3']);
  });

  it('follows a capacity that changes', () => {
    let capacity = 1;
    const queue = new FairQueue({ ofOne: () => capacity });
    ['a1', 'a2', 'a3', 'a4'].forEach((name) => enter(queue, name));
    capacity = 3;
    ends.a1!();
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
    capacity = 1;
    enter(queue, 'a5');
    ends.a2!();
    ends.a3!();
    expect(started).toHaveLength(4);
    ends.a4!();
    expect(started[4]).toBe('a5');
  });

  it('forgets work that leaves, and callers that have none', () => {
    const queue = new FairQueue({ ofOne: () => 1 });
    enter(queue, 'a1');
    const leave = enter(queue, 'a2');
    expect([leave(), leave(), queue.waiting]).toEqual([true, false, 0]);
    ends.a1!();
    expect(started).toEqual(['a1']);
    expect(Object.values(queue).find((each) => each instanceof Map)?.size).toBe(0);
  });
});
