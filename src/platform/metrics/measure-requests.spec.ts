import type { FastifyReply, FastifyRequest } from 'fastify';
import { measureRequest } from './measure-requests';
import { registry } from './metrics.registry';

interface Ended extends Pick<FastifyRequest, 'bodyTime' | 'readyAfter' | 'errorCode'> {
  method?: string;
  route?: string;
  status?: number;
  elapsedTime?: number;
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
    ['a body that arrives late', { elapsedTime: 9_000, bodyTime: 8_500 }, 'kept', 'kept'],
    ['slow work after a late body', { elapsedTime: 9_000, bodyTime: 8_499 }, 'kept', 'broken'],
    ['a response that is read slowly', { elapsedTime: 9_000, readyAfter: 500 }, 'kept', 'kept'],
    ['a probe', { route: '/health/live' }, 'no case', 'no case'],
    ['a probe that fails', { route: '/health/ready', status: 503 }, 'no case', 'no case'],
    ['a preflight', { method: 'OPTIONS', route: '*', status: 204 }, 'no case', 'no case'],
    ['a fault', { status: 500 }, 'broken', 'no case'],
    ['an unavailable database', { status: 503, elapsedTime: 9_000 }, 'broken', 'no case'],
    ['a response that a fault cut off', { errorCode: 'internal_error' }, 'broken', 'no case'],
  ])('count %s', async (_, ended, ...expected) => {
    const { method = 'GET', route = '/', status = 200, elapsedTime = 1, ...request } = ended;
    const promises = ['available', 'fast'];
    const before = await Promise.all(promises.map(count));
    measureRequest(
      {
        ...request,
        method,
        routeOptions: { url: route, config: {} },
        query: {},
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
