import { SenderService } from '../../src/delivery/webhook/sender.service';
import { testEnv } from '../support/env';
import { HOSTILE_RECEIVERS, HostileServer } from '../support/hostile-receivers';

/** Bytes that the buffers of a connection hold, and some more. */
const READ_AT_MOST = 16 * 1_048_576;

const message = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'content-length': '2' },
  body: '{}',
});

describe('an attempt', () => {
  const sender = new SenderService(
    testEnv({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '2' }),
  );
  let hostile: HostileServer;

  afterEach(() => hostile.stop());

  afterAll(() => {
    sender.onApplicationShutdown();
  });

  it.each(HOSTILE_RECEIVERS)(
    'ends, and its connection with it, if the receiver $does',
    async (receiver) => {
      hostile = await HostileServer.start(receiver);
      expect(await sender.send(message(hostile.url))).toMatchObject(receiver.outcome);
      await hostile.allClosed();
      expect(hostile.connections).toBe(1);
      expect(hostile.bytesWritten).toBeLessThan(READ_AT_MOST);
    },
  );
});
