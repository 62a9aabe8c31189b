import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SequencerService } from '../../platform/event/sequencer.service';
import { RepeatedFailures } from '../../platform/logging/repeated-failures';
import { attemptDuration } from '../../platform/metrics/metrics.registry';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { inSpan } from '../../platform/tracing/tracing';
import { noteAttempt } from './attempted-companies';
import { ClaimedDelivery, DeliveryQueue, DueEndpoint } from './delivery-queue.service';
import { FailingWebhooks } from './failing-webhooks';
import { messageOf } from './message';
import { Outcome, SenderService } from './sender.service';
import { SendingPlaces, Turn } from './sending-places';
import { tracedAttempt } from './traced-attempt';
import { WebhookSecrets } from './webhook-secrets.service';

/** Milliseconds between two polls for endpoints with something to deliver. */
const LOOK_INTERVAL = 500;

/** Milliseconds between two polls while there are no endpoints, and between two such checks. */
const CHECK_INTERVAL = 5_000;

/** Milliseconds between two polls that new events cause. */
const REST = 50;

/** Maximum number of companies that wait for a place. Above it, polls are skipped. */
const WAITING_MAXIMUM = 1_000;

/**
 * Delivers events to endpoints. A process delivers what it has numbered, and one of them what
 * is due again or was left by others. A delivery is claimed for a limited time and sent outside of
 * any transaction, so a receiver that hangs holds no connection to the database, and a killed
 * process loses nothing.
 */
@Injectable()
export class DispatcherService implements OnModuleInit {
  private readonly logger = new Logger(DispatcherService.name);
  private readonly places = new SendingPlaces();
  private turns = 0;
  private woken = false;
  /** By the process's monotonic clock. */
  private nextLook = 0;
  private nextCheck = 0;
  private readonly failures = new RepeatedFailures(this.logger, 'could not deliver events');
  private readonly failing = new FailingWebhooks(this.logger);

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: SenderService,
    private readonly secrets: WebhookSecrets,
    private readonly sequencer: SequencerService,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {}

  onModuleInit(): void {
    this.sequencer.onNumbered(() => {
      this.wake();
    });
  }

  /** Looks for deliveries soon. */
  wake(): void {
    this.woken = true;
    void this.look();
  }

  /** Finds what other processes have left, and what is due again. */
  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.sharedJobs.run('find webhook deliveries', async () => {
      const now = performance.now();
      if (now < this.nextLook) {
        return;
      }
      await this.look();
      if (now >= this.nextCheck) {
        this.nextCheck = now + CHECK_INTERVAL;
        this.nextLook = (await this.queue.hasEndpoints()) ? now : this.nextCheck;
      }
    });
  }

  private async look(): Promise<void> {
    await this.jobs.run(
      'look for webhook deliveries',
      async (stop) => {
        do {
          this.takeWake();
          await inSpan('look for webhook deliveries', () => this.findDue());
          this.serveWaiting();
          await delay(REST, undefined, { signal: stop }).catch(() => undefined);
        } while (this.takeWake() && !stop.aborted);
      },
      null,
    );
  }

  private async findDue(): Promise<void> {
    try {
      const waiting = this.places.waitingCompanyIds;
      if (waiting.length < WAITING_MAXIMUM) {
        (await this.queue.due(waiting)).forEach((endpoint) => {
          this.places.add(endpoint);
        });
      }
    } catch (error) {
      this.failures.add(error);
    }
  }

  /** Returns whether the process was woken since the last call. */
  private takeWake(): boolean {
    const { woken } = this;
    this.woken = false;
    return woken;
  }

  /** Gives the endpoints that wait their turns, as far as there are places. */
  private serveWaiting(): void {
    for (let turn = this.places.next(); turn !== undefined; turn = this.places.next()) {
      const next = turn;
      this.turns += 1;
      void this.jobs.run(
        `deliver to ${next.endpoint.webhookId} (turn ${this.turns})`,
        (stop) => this.serve(next, stop),
        null,
        'deliver to webhooks',
      );
    }
  }

  /** Delivers to an endpoint until it has no more, or another one waits for its places. */
  private async serve({ endpoint, places }: Turn, stop: AbortSignal): Promise<void> {
    const running = new Set<Promise<void>>();
    const start = (deliveries: readonly ClaimedDelivery[]) => {
      for (const delivery of deliveries) {
        const attempt = inSpan('deliver an event', () => this.attempt(delivery, stop))
          .then(start)
          // The delivery is claimed again when its lease ends.
          .catch((error: unknown) => {
            this.failures.add(error);
          })
          .finally(() => running.delete(attempt));
        running.add(attempt);
      }
    };
    start(
      await inSpan('claim deliveries', () =>
        this.claim(endpoint, places, () => this.queue.claim(endpoint, places)),
      ),
    );
    while (running.size > 0) {
      await Promise.race(running);
    }
  }

  /** Attempts a delivery and returns the endpoint's next ones. */
  private async attempt(delivery: ClaimedDelivery, stop: AbortSignal): Promise<ClaimedDelivery[]> {
    const start = performance.now();
    let outcome: Outcome;
    try {
      outcome = await this.send(delivery);
    } finally {
      this.places.release(delivery, 1);
    }
    const duration = performance.now() - start;
    attemptDuration.observe({ outcome: outcome.error ?? 'delivered' }, duration / 1_000);
    this.failing.note(delivery, outcome);
    noteAttempt(delivery.companyId, outcome.error === null);
    const places = stop.aborted ? 0 : this.places.takeAgain(delivery);
    this.serveWaiting();
    const next = await this.claim(delivery, places, () =>
      this.queue.finish(delivery, outcome, duration, places),
    );
    if (places === 0 && !stop.aborted) {
      this.places.add(delivery);
      this.serveWaiting();
    }
    return next;
  }

  /** Releases the places that a claim does not use. */
  private async claim(
    endpoint: DueEndpoint,
    places: number,
    claim: () => Promise<ClaimedDelivery[]>,
  ): Promise<ClaimedDelivery[]> {
    let used = 0;
    try {
      const claimed = await claim();
      used = claimed.length;
      return claimed;
    } finally {
      this.places.release(endpoint, places - used);
      this.serveWaiting();
    }
  }

  private async send(delivery: ClaimedDelivery): Promise<Outcome> {
    const { webhookId, secret, previousSecret } = delivery;
    const current = this.secrets.open(secret, webhookId)?.text;
    if (current === undefined) {
      this.logger.error(`the secret of ${webhookId} cannot be decrypted with ENCRYPTION_KEY`);
      return { status: null, error: 'secret_unreadable' };
    }
    const previous = previousSecret && this.secrets.open(previousSecret, webhookId)?.text;
    const secrets = [current, ...(previous ? [previous] : [])];
    const message = messageOf(delivery, secrets);
    return tracedAttempt(delivery, (headers) =>
      this.sender.send({ ...message, headers: { ...message.headers, ...headers } }),
    );
  }
}
