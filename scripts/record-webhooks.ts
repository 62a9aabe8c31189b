import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedBody } from '../src/openapi/document-content';
import { ExampleRecorder, Fields } from './example-recorder';
import { unknownId } from './record-errors';

/** A receiver on this machine, so that recording needs no network. */
class Receiver {
  /** The last message of each type. */
  readonly messages = new Map<string, RecordedBody>();
  /** The statuses of the next responses; then it responds 204. */
  readonly statuses: number[] = [];

  private readonly server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as RecordedBody;
      this.messages.set(String(body.type), body);
      response.writeHead(this.statuses.shift() ?? 204).end();
    });
  });

  /** @returns the URL */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/**
 * Records everything about webhooks.
 *
 * @param campaign a campaign that was never live
 */
export async function recordWebhooks(recorder: ExampleRecorder, campaign: unknown): Promise<void> {
  const receiver = new Receiver();
  const url = await receiver.start();
  try {
    const webhook_id = await recordEndpoint(recorder, url);
    await recordDeliveries(recorder, receiver, { webhook_id, campaign });
    await recordRefusals(recorder, { webhook_id, url });
  } finally {
    receiver.stop();
  }
}

/** @returns the webhook */
async function recordEndpoint(recorder: ExampleRecorder, url: string) {
  await recorder.own('createWebhook', 'validation_failed', {
    body: { url: 'example.com/webhooks', event_types: ['campaign.deleted'] },
  });
  const { webhook_id } = await recorder.success('createWebhook', { body: { url } });
  await recorder.success('listWebhooks');
  await recorder.own('updateWebhook', 'validation_failed', {
    body: { webhook_id, enabled: 'yes' },
  });
  await recorder.own('updateWebhook', 'nothing_to_update', {
    body: JSON.stringify({ webhook_id }),
  });
  await recorder.success('updateWebhook', { body: { webhook_id, url } });
  await recorder.success('rotateWebhookSecret', { body: { webhook_id } });
  return webhook_id;
}

/** Every message is attempted twice: the first delivery succeeds at last, the second one fails. */
async function recordDeliveries(
  recorder: ExampleRecorder,
  receiver: Receiver,
  { webhook_id, campaign }: { webhook_id: unknown; campaign: unknown },
) {
  const path = { webhook_id: String(webhook_id) };
  const latest = async (state: string) => {
    for (;;) {
      const { items } = await recorder.prepare('listWebhookDeliveries', { path });
      if ((items as Fields[])[0]?.status === state) {
        return;
      }
      await delay(20);
    }
  };
  receiver.statuses.push(503, 204);
  await recorder.prepare('toggleLive', { body: { post_id: campaign } });
  await latest('delivered');
  receiver.statuses.push(503, 503);
  await recorder.success('testWebhook', { body: { webhook_id } });
  await latest('failed');
  await recorder.success('listWebhookDeliveries', { path });
  await recorder.own('replayWebhook', 'validation_failed', {
    body: { webhook_id, event_id: unknownId('evt') },
  });
  await recorder.success('replayWebhook', { body: { webhook_id } });
  await latest('delivered');
  for (const message of receiver.messages.values()) {
    recorder.message(message);
  }
}

async function recordRefusals(
  recorder: ExampleRecorder,
  { webhook_id, url }: { webhook_id: unknown; url: string },
) {
  const unknown = { webhook_id: unknownId('whk') };
  await recorder.common('webhook_not_found', 'deleteWebhook', { body: unknown });
  await recorder.common('event_not_found', 'replayWebhook', {
    body: JSON.stringify({ webhook_id, event_id: unknownId('evt') }),
  });
  for (const id of ['rotateWebhookSecret', 'testWebhook', 'deleteWebhook']) {
    const body = { webhook_id: undefined };
    await recorder.own(id, 'validation_failed', { body });
  }
  await recorder.own('listWebhookDeliveries', 'validation_failed', {
    path: { webhook_id: String(webhook_id) },
    query: '?status=lost',
  });
  await recorder.prepare('updateWebhook', { body: { webhook_id, url, enabled: false } });
  await recorder.common('webhook_disabled', 'testWebhook', { body: { webhook_id } });
  await recorder.success('deleteWebhook', { body: { webhook_id } });
  // None of these has anything to receive.
  const idle = { url, event_types: ['webhook.disabled'] };
  await recorder.commonAtLast('too_many_webhooks', 'createWebhook', { body: idle });
}
