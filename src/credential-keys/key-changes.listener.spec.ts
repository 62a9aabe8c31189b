import { once } from 'node:events';
import { AddressInfo, createServer, Server, Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { testEnv } from '../../test/support/env';
import { KeyCache } from './key-cache';
import { KeyChangesListener } from './key-changes.listener';

describe('the key changes listener, without a database', () => {
  let server: Server;
  let connections: Socket[];
  let listener: KeyChangesListener;
  let cache: KeyCache;
  let warn: jest.SpyInstance;

  beforeEach(async () => {
    connections = [];
    server = createServer((socket) => {
      connections.push(socket.on('error', () => undefined));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    cache = new KeyCache();
    listener = new KeyChangesListener(
      testEnv({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` }),
      cache,
    );
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => {
    connections.forEach((socket) => socket.destroy());
    server.close();
    jest.restoreAllMocks();
  });

  async function isCached(): Promise<boolean> {
    const read = jest.fn(() => Promise.resolve({} as never));
    await cache.get('hash', read);
    await cache.get('hash', read);
    return read.mock.calls.length === 1;
  }

  it('stops immediately while it waits for a server that does not respond', async () => {
    listener.onApplicationBootstrap();
    await once(server, 'connection');
    const began = performance.now();
    await listener.onModuleDestroy();
    // The attempt to connect alone would take two seconds.
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(warn).not.toHaveBeenCalled();
  });

  it('retries indefinitely, warns once and caches nothing while it cannot connect', async () => {
    server.on('connection', (socket) => socket.destroy());
    listener.onApplicationBootstrap();
    while (connections.length < 3) {
      await once(server, 'connection');
    }
    expect(await isCached()).toBe(false);
    await listener.onModuleDestroy();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('does nothing on the embedded database, where keys are always cached', async () => {
    const embedded = new KeyChangesListener(testEnv({}), cache);
    embedded.onApplicationBootstrap();
    expect(await isCached()).toBe(true);
    await embedded.onModuleDestroy();
  });
});
