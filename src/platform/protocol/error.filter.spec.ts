import type { ArgumentsHost } from '@nestjs/common';
import Fastify from 'fastify';
import { serviceUnavailable } from './api-error';
import { ErrorFilter } from './error.filter';

describe('the response to an error', () => {
  it('has no ETag of work that was undone', async () => {
    const fastify = Fastify();
    fastify.get('/', (request, reply) => {
      void reply.header('etag', '"5"');
      const http = { getRequest: () => request, getResponse: () => reply };
      const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
      new ErrorFilter().catch(serviceUnavailable('Not committed.'), host);
      return reply;
    });
    const { statusCode, headers } = await fastify.inject('/');
    expect([statusCode, headers.etag, headers['retry-after']]).toEqual([503, undefined, '1']);
  });
});
