import type { FastifyReply, FastifyRequest } from 'fastify';
import { measureRequest } from './measure-requests';
import { registry } from './metrics.registry';

interface Ended {
  status?: number;
  elapsedTime?: number;
  errorCode?: FastifyRequest['errorCode'];
}

async function count(promise: string): Promise<{ asked: number; kept: number }> {
  const read = async (name: string) => {
    const metric = await registry.getSingleMetric(name)!.get();
    return metric.values.find(({ labels }) => labels.promise === promise)!.value;
  };
  return {
    asked: await read('service_level_total'),
    kept: await read('service_level_success_total'),
  };
}

describe('the service levels of a request', () => {
  it.each<[name: string, ended: Ended, available: string, fast: string]>([
    ['a response in time', { elapsedTime: 500 }, 'kept', 'kept'],
    ['a refusal', { status: 404, errorCode: 'campaign_not_found' }, 'kept', 'kept'],
    ['a response that takes longer', { elapsedTime: 501 }, 'kept', 'broken'],
    [
      'a body that does not arrive',
      { status: 408, elapsedTime: 9_000, errorCode: 'request_timeout' },
      'kept',
      'no case',
    ],
    ['a fault', { status: 500 }, 'broken', 'no case'],
    ['an unavailable database', { status: 503, elapsedTime: 9_000 }, 'broken', 'no case'],
    ['a response that a fault cut off', { errorCode: 'internal_error' }, 'broken', 'no case'],
  ])('count %s', async (_, { status = 200, elapsedTime = 1, errorCode }, ...expected) => {
    const promises = ['available', 'fast'];
    const before = await Promise.all(promises.map(count));
    measureRequest(
      {
        method: 'GET',
        routeOptions: { url: '/', config: {} },
        query: {},
        errorCode,
      } as unknown as FastifyRequest,
      { statusCode: status, elapsedTime } as FastifyReply,
    );
    const after = await Promise.all(promises.map(count));
    const outcomes = after.map(({ asked, kept }, index) =>
      asked === before[index]!.asked ? 'no case' : kept > before[index]!.kept ? 'kept' : 'broken',
    );
    expect(outcomes).toEqual(expected);
  });
});
