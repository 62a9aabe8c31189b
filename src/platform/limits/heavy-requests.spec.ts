import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { HeavyRequests } from './heavy-requests';
import { HeavyWork } from './heavy-work';

describe('heavy requests', () => {
  let work: HeavyWork;
  let requests: HeavyRequests;
  let started: string[];
  let ended: string[];

  beforeEach(() => {
    work = new HeavyWork();
    requests = new HeavyRequests(work);
    started = [];
    ended = [];
  });

  function send(caller: string, name: string, state: Partial<ServerResponse> = {}) {
    const response = Object.assign(new EventEmitter(), state) as unknown as ServerResponse;
    const refusal = requests.admit(caller, response, (error) => {
      if (error === undefined) {
        started.push(name);
      } else {
        ended.push(`${name} ${error.code}`);
      }
    });
    const finish = () => {
      requests.finish(response);
    };
    return { response, refusal, finish };
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

  it('are refused while twenty wait', () => {
    const [first] = Array.from({ length: 22 }, (_, index) => send('a', String(index)));
    const { refusal } = send('a', 'too many');
    expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } });
    expect(send('b', 'other').refusal).toBeUndefined();
    first!.finish();
    expect(send('a', 'again').refusal).toBeUndefined();
    expect(started).not.toContain('too many');
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
    expect(send('a', 'gone', gone).refusal).toMatchObject({ code: 'request_timeout' });
    const [first] = ['1', '2'].map((name) => send('a', name));
    send('a', 'gone', gone);
    send('a', '3');
    first!.finish();
    expect(started).toEqual(['1', '2', '3']);
  });

  it('leave nothing behind', () => {
    const sent = ['1', '2', '3'].map((name) => send('a', name));
    sent.forEach(({ finish }) => {
      finish();
    });
    const kept = [...Object.values(work), ...Object.values(requests)].filter(
      (each) => each instanceof Map,
    );
    expect(kept.map(({ size }) => size)).toEqual([0, 0]);
  });
});
