import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestId, requestRecorder } from './request-log';

const idFor = (given?: unknown) =>
  requestId({ headers: { 'x-request-id': given } } as unknown as IncomingMessage);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('requestId', () => {
  it.each(['1', 'a.b:c/d+e=f@g-h_i', 'x'.repeat(128), '3f0c9a7e-4f6e-4a3a-9a63-1b1a0d1c2b3a'])(
    "returns the caller's id if it is acceptable: %.40s",
    (given) => {
      expect(idFor(given)).toBe(given);
    },
  );

  it.each([
    '',
    'x'.repeat(129),
    'a b',
    'a,b',
    '"a"',
    'a\n',
    'a\r\nb',
    '{}',
    '<a>',
    'ä',
    '\u001b[31m',
  ])('generates an id in place of an unacceptable one: %j', (given) => {
    expect(idFor(given)).toMatch(UUID);
  });

  it('generates a new id for each request without one', () => {
    expect(idFor()).toMatch(UUID);
    expect(idFor()).not.toBe(idFor());
    expect(idFor(['a', 'b'])).toMatch(UUID);
  });
});

describe('requestRecorder', () => {
  it.each<[probes: boolean, route: string, status: number, lines: number]>([
    [true, '/health/ready', 200, 1],
    [false, '/health/ready', 200, 0],
    [false, '/health/live', 200, 0],
    [false, '/health/ready', 503, 1],
    [false, '/svc/campaign/list', 200, 1],
  ])('with LOG_PROBES=%s, logs %s with status %s in %s lines', (probes, url, statusCode, lines) => {
    const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
    requestRecorder({ LOG_PROBES: probes })(
      { log, routeOptions: { url } } as unknown as FastifyRequest,
      { statusCode, elapsedTime: 1 } as FastifyReply,
    );
    expect(log.info.mock.calls.length + log.warn.mock.calls.length).toBe(lines);
  });
});
