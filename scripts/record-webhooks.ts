import type { RecordedBody } from '../src/platform/openapi/document-content';
import type { ExampleRecorder, Fields } from './example-recorder';
import { unknownId } from './invalid-requests';
import { waitUntil } from './wait-until';
import { Receiver } from './webhook-receiver';

/**
 * Records everything about webhooks.
 *
 * @param post_id a campaign that was never live
 */
export async function recordWebhooks(api: ExampleRecorder, post_id: unknown): Promise<void> {
  const receiver = await Receiver.start();
  const { url } = receiver;
  try {
    const { webhook_id } = await api.success('createWebhook', { url });
    await api.successes('listWebhooks', 'getWebhook');
    await api.success('updateWebhook', { url });
    await api.own('updateWebhook', 'nothing_to_update', JSON.stringify({ webhook_id }));
    await api.success('rotateWebhookSecret');
    await recordDeliveries(api, receiver, post_id);
    await recordRefusals(api, url);
  } finally {
    receiver.stop();
  }
}

/** Every message is attempted twice: the first delivery succeeds at last, the second one fails. */
async function recordDeliveries(api: ExampleRecorder, receiver: Receiver, post_id: unknown) {
  const latest = (state: string) =>
    waitUntil(`the latest delivery is ${state}`, async () => {
      const { items } = await api.prepare('listWebhookDeliveries');
      return (items as Fields[])[0]?.status === state;
    });
  receiver.statuses.push(503, 204);
  await api.prepare('toggleLive', { post_id });
  await latest('delivered');
  receiver.statuses.push(503, 503);
  await api.success('testWebhook');
  await latest('failed');
  await api.success('listWebhookDeliveries');
  await api.success('replayWebhook');
  await latest('delivered');
  for (const { text } of receiver.received) {
    api.message(JSON.parse(text) as RecordedBody);
  }
}

async function recordRefusals(api: ExampleRecorder, url: string) {
  await api.common('deleteWebhook', 'webhook_not_found', { webhook_id: unknownId('whk') });
  const unknown = { event_id: unknownId('evt'), failed_since: undefined };
  await api.common('replayWebhook', 'event_not_found', unknown);
  await api.prepare('updateWebhook', { url, enabled: false });
  await api.common('testWebhook', 'webhook_disabled');
  await api.success('deleteWebhook');
  // None of these has anything to receive.
  const idle = { url, event_types: ['webhook.disabled'] };
  await api.commonAtLast('createWebhook', 'too_many_webhooks', idle);
}
