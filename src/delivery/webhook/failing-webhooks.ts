import { LRUCache } from 'lru-cache';
import type { Logger } from '@nestjs/common';
import type { DueEndpoint } from './delivery-queue.service';
import type { Outcome } from './sender.service';
import { printEnvironment } from '../../platform/caller/environment.rules';

/** Webhooks that are remembered; one that is forgotten, such as a deleted one, is logged again. */
const MAXIMUM = 10_000;

/** Logs when the attempts to deliver to a webhook begin to fail, and when they succeed again. */
export class FailingWebhooks {
  private readonly failing = new LRUCache<string, true>({ max: MAXIMUM });

  constructor(private readonly logger: Logger) {}

  note({ companyId, webhookId }: DueEndpoint, { status, error }: Outcome): void {
    if (error === 'interrupted') {
      return;
    }
    const webhook = `${webhookId} of ${printEnvironment(companyId)}`;
    if (error === null) {
      if (this.failing.delete(webhookId)) {
        this.logger.warn(`deliveries to ${webhook} succeed again`);
      }
    } else if (this.failing.get(webhookId) === undefined) {
      this.failing.set(webhookId, true);
      const reason = status === null ? error : `${error} ${status}`;
      this.logger.warn(`deliveries to ${webhook} fail: ${reason}`);
    }
  }
}
