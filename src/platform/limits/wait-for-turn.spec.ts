import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, serviceUnavailable } from '../protocol/api-error';
import { HeavyWork } from './heavy-work';
import { Waiting, waitForTurn } from './wait-for-turn';

describe('heavy requests', () => {
  let work: HeavyWork;
  let started: string[];
  let ended: string[];

  beforeEach(() => {
    work = new HeavyWork();
    started = [];
    ended = [];
  });

  function send(
    caller: string,
    name: string,
    state: Partial<ServerResponse> = {},
    waiting?: Waiting,
  ) {
    const response = Object.assign(new EventEmitter(), state) as unknown as ServerResponse;
    const request = {} as FastifyRequest;
    waitForTurn(
      work,
      caller,
      request,
      response,
      (refusal) => {
        if (refusal === undefined) {
          started.push(name);
        } else {
          ended.push(`${name} ${(refusal as ApiError).code}`);
        }
      },
      waiting,
    );
    return {
      response,
      finish: () => {
        request.endTurn?.();
      },
    };
  }

  it('run two at once for a caller, and the others in the order of arrival', () => {
    const [first, second, , fourth] = ['1', '2', '3', '4', '5'].map((name) => send('a', name));
    send('b', 'other');
    expect(started).toEqual(['1', '2', 'other']);
    second!.finish();
    second!.finish();
    expect(started).toEqual(['1', '2', 'other', '3']);
    first!.finish();
    fourth!.finish();
    expect(started).toEqual(['1', '2', 'other', '3', '4', '5']);
  });

  it('are too many for a caller while twenty wait', () => {
    const [first] = Array.from({ length: 22 }, (_, index) => send('a', String(index)));
    expect([work.isFull('a'), work.isFull('b')]).toEqual([true, false]);
    first!.finish();
    expect(work.isFull('a')).toBe(false);
  });

  it('run four at once, and then in turn by caller', () => {
    const first = ['a1', 'a2'].map((name) => send('a', name));
    const second = ['b1', 'b2'].map((name) => send('b', name));
    ['a3', 'a4', 'a5'].forEach((name) => send('a', name));
    ['b3', 'c1', 'c2', 'd1'].forEach((name) => send(name[0]!, name));
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    first[0]!.finish();
    second[0]!.finish();
    first[1]!.finish();
    second[1]!.finish();
    expect(started.slice(4)).toEqual(['a3', 'b3', 'c1', 'd1']);
  });

  it('leave the queue, and end, when their client disconnects', () => {
    const [first, , third] = ['1', '2', '3', '4'].map((name) => send('a', name));
    third!.response.emit('close');
    expect(ended).toEqual(['3 request_timeout']);
    first!.finish();
    third!.finish();
    first!.response.emit('close');
    expect(started).toEqual(['1', '2', '4']);
    expect(ended).toHaveLength(1);
  });

  it('do not run or wait if their client has disconnected', () => {
    const gone = { destroyed: true };
    send('a', 'gone', gone);
    expect(ended).toEqual(['gone request_timeout']);
    const [first] = ['1', '2'].map((name) => send('a', name));
    send('a', 'gone', gone);
    send('a', '3');
    first!.finish();
    expect(started).toEqual(['1', '2', '3']);
  });

  it('are refused after a time, if there is one, and measured until then', async () => {
    const waits: string[] = [];
    const waiting: Waiting = {
      measure: () => {
        waits.push('begins');
        return () => waits.push('ends');
      },
      timeout: 1,
      late: () => serviceUnavailable('Late.'),
    };
    const [first] = ['1', '2', '3'].map((name) => send('a', name, {}, waiting));
    expect(waits).toEqual(['begins']);
    await delay(5);
    expect([ended, waits]).toEqual([['3 service_unavailable'], ['begins', 'ends']]);
    send('a', '4', {}, waiting);
    first!.finish();
    await delay(5);
    expect([started, ended.length, waits.length]).toEqual([['1', '2', '4'], 1, 4]);
  });

  it('leave nothing behind', () => {
    const sent = ['1', '2', '3'].map((name) => send('a', name));
    sent.forEach(({ finish }) => {
      finish();
    });
    const kept = Object.values(work).filter((each) => each instanceof Map);
    expect(kept.map(({ size }) => size)).toEqual([0]);
    expect(sent.map(({ response }) => response.listenerCount('close'))).toEqual([0, 0, 0]);
  });
});
