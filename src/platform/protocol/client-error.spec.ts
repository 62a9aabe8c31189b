import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { answerClientError } from './client-error';

describe('data that is not a valid request', () => {
  it('ends the response before it, without another one in its middle', async () => {
    const server = fastify({ clientErrorHandler: answerClientError });
    const body = new Readable({ read: () => undefined });
    server.get('/', (_request, reply) => reply.send(body));
    await server.listen({ port: 0, host: '127.0.0.1' });
    try {
      const client = connect(Number(new URL(server.listeningOrigin).port), '127.0.0.1');
      let received = '';
      client.setEncoding('latin1').on('data', (text: string) => {
        received += text;
      });
      client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      body.push('first');
      await once(client, 'data');
      client.write('nonsense\r\n\r\n');
      await once(client, 'close');
      expect(received).toContain('first');
      expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});
