import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { HeavyRequests } from './heavy-requests';

describe('heavy requests', () => {
  let requests: HeavyRequests;
  let started: string[];
  let ended: string[];

  beforeEach(() => {
    requests = new HeavyRequests();
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
    expect(Object.values(requests).map((map) => (map as Map<unknown, unknown>).size)).toEqual([
      0, 0,
    ]);
  });
});
