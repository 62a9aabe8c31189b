import { once } from 'node:events';
import { createServer, request, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenClosed } from './when-closed';

describe('a call for when a response is closed', () => {
  let server: Server;
  let calls: number;

  beforeEach(async () => {
    calls = 0;
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.close();
  });

  const count = () => {
    calls += 1;
  };

  /** Sends a request, and returns its response on the server and how to disconnect. */
  async function respond(): Promise<{ response: ServerResponse; disconnect: () => void }> {
    const client = request({ port: (server.address() as AddressInfo).port });
    client.on('error', () => undefined).end();
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { response, disconnect: () => client.destroy() };
  }

  it('is made once its client disconnects', async () => {
    const { response, disconnect } = await respond();
    whenClosed(response, count);
    expect(calls).toBe(0);
    disconnect();
    await once(response, 'close');
    expect(calls).toBe(1);
  });

  it('is made at once if the client has disconnected before', async () => {
    const { response, disconnect } = await respond();
    disconnect();
    await once(response, 'close');
    whenClosed(response, count);
    expect(calls).toBe(1);
  });

  it('is made at once if the response has ended before', async () => {
    const { response, disconnect } = await respond();
    response.end();
    await once(response, 'close');
    whenClosed(response, count);
    expect(calls).toBe(1);
    disconnect();
  });
});
