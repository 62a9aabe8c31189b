import type { SentRequest } from '../../platform/openapi/document-content';
import { WebhookMessageDto } from './webhook-message.dto';

const DESCRIPTION = `The service sends this request to the \`url\` of a webhook, once for each event of its types, until it is received. Verify it with a library of [Standard Webhooks](https://www.standardwebhooks.com) and the webhook's secret before you trust it.

A message can arrive more than once, with the same \`webhook-id\`, and in another order than the events: \`data.seq\` is the event's number. If a number is missing, read the list of events from there.

Respond within 15 seconds, and do the work afterwards. An attempt that fails is repeated after 5 seconds, 5 minutes, 30 minutes, and 2, 5, 10, 14, 20 and 24 hours, or later if \`Retry-After\` asks for it. A delivery that fails after no attempt has succeeded for five days disables the webhook. The operator of the service can set other times.`;

const HEADER = { in: 'header', required: true } as const;

/** The requests that receivers of events get. */
export const WEBHOOKS: Readonly<Record<string, SentRequest>> = {
  event: {
    operationId: 'receiveEvent',
    summary: 'Receive an event',
    description: DESCRIPTION,
    tags: ['Webhooks'],
    security: [],
    parameters: [
      {
        name: 'webhook-id',
        description: 'The `event_id` of the event: the same in every attempt.',
        schema: { type: 'string', maxLength: 30, pattern: '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        example: 'evt_01k9x2v8zdf3xbz0q4v5rk6t7m',
        ...HEADER,
      },
      {
        name: 'webhook-timestamp',
        description: 'When this attempt began, in seconds since 1970.',
        schema: { type: 'string', maxLength: 12, pattern: '^[0-9]+$' },
        example: '1768469400',
        ...HEADER,
      },
      {
        name: 'webhook-signature',
        description:
          'The signature of the identifier, the timestamp and the exact bytes of the body, with the ' +
          "webhook's secret. For 24 hours after a rotation there are two, separated by a space.",
        schema: {
          type: 'string',
          maxLength: 100,
          pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
        },
        example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ...HEADER,
      },
    ],
    body: WebhookMessageDto,
    responses: {
      '2XX': { description: 'The event is received and not sent again.' },
      410: { description: 'You want no more messages: the webhook is disabled.' },
      default: {
        description: 'The attempt has failed and is repeated. Redirects are not followed.',
      },
    },
  },
};
