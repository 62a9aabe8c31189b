import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { sendBytes } from '../support/wire';

const POST = 'POST /svc/survey/create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a request that is not valid HTTP', () => {
  it.each([
    ['text', 'garbage\r\n\r\n'],
    ['bytes', Buffer.from([0, 1, 2, 255, 254])],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['an HTTP/2 greeting', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
    ['a query that is not encoded', 'GET /?a=caf\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a length that is no number', `${POST}Content-Length: two\r\n\r\n{}`],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
  ])('gets a response in the same envelope: %s', async (_, bytes) => {
    const answer = await sendBytes(service.client.url, bytes);
    expectError(answer, 400, 'malformed_json');
    expect(answer.headers.get('connection')).toBe('close');
  });

  it.each([
    ['a header', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: xxxxxxxxx\r\n'.repeat(7_000)}\r\n`],
  ])('is refused with 431 if %s is too large', async (_, bytes) => {
    const answer = await sendBytes(service.client.url, bytes);
    expectError(answer, 431, 'headers_too_large');
    expect(answer.headers.get('connection')).toBe('close');
  });

  it.each([
    ['a path', `/${'x'.repeat(17_000)}`],
    ['a query', `/svc/campaign/list?cursor=${'x'.repeat(17_000)}`],
    ['a parameter', `/svc/campaign/${'x'.repeat(17_000)}`],
    ['a path that is longer than headers may be', `/${'x'.repeat(40_000)}`],
  ])('is refused with 414 if %s is too long', async (_, target) => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expectError(await sendBytes(service.client.url, bytes), 414, 'uri_too_long');
  });

  it('leaves the service working', async () => {
    await sendBytes(service.client.url, 'garbage\r\n\r\n');
    expect((await service.client.get('/health/ready')).status).toBe(200);
  });
});
