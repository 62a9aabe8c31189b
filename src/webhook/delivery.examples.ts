import { EXAMPLE_WEBHOOK_ID } from './webhook.dto';

/** Requests for a replay; each has exactly one field besides the webhook. */
export const REPLAY_EXAMPLES = {
  'failed deliveries': {
    value: { webhook_id: EXAMPLE_WEBHOOK_ID, failed_since: '2026-01-15T09:30:00Z' },
  },
  'everything after an event': { value: { webhook_id: EXAMPLE_WEBHOOK_ID, after_seq: 1200 } },
};
