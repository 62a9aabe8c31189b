import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { storedId, StoredId } from '../../platform/database/identifiers';
import { statementWith, toEntity } from '../../platform/database/rows';
import { eventId } from '../../platform/event/event-id.rules';
import { Event } from '../../platform/event/event.entity';
import { SequencerService } from '../../platform/event/sequencer.service';
import { serviceUnavailable } from '../../platform/protocol/api-error';
import { InterruptibleTurns } from '../../platform/limits/turns';

/** How long a caller waits for the number of an event, in milliseconds. */
const PATIENCE = 10_000;

/** Milliseconds between two polls for the number. */
const LOOK_INTERVAL = 50;

const numberedEvent = (columns: string) => `
  SELECT ${columns} FROM event
  WHERE company_id = $1 AND subject = $2 AND version = $3`;

/** Finds the events that tests of endpoints make. */
@Injectable()
export class WebhookTests implements OnModuleDestroy {
  private readonly turns = new InterruptibleTurns('The service is stopping.');

  constructor(
    @InjectRepository(Event) private readonly events: Repository<Event>,
    private readonly sequencer: SequencerService,
  ) {}

  /** This process numbers no events soon: every request that waits looks once more and responds. */
  onModuleDestroy(): void {
    this.turns.stop();
  }

  /**
   * Returns the identifier of the event of a test, once the sequencer has numbered it: events are
   * numbered after their transaction.
   *
   * @param version of the endpoint, as the test made it
   * @param gone ends the wait
   * @throws ApiError `service_unavailable` if the event is not numbered in time or the service
   *   stops, and the event is sent after the next start or by another process; `request_timeout` if
   *   the client has gone
   */
  async eventId(
    companyId: StoredId,
    webhookId: string,
    version: number,
    gone: AbortSignal,
  ): Promise<string> {
    this.sequencer.wake(companyId);
    for (let waited = 0; waited < PATIENCE; waited += LOOK_INTERVAL) {
      const [row] = await this.events.query<Record<string, unknown>[]>(
        statementWith(this.events, numberedEvent),
        [companyId, storedId('whk', webhookId), version],
      );
      if (row !== undefined) {
        return eventId(toEntity(this.events, row));
      }
      await this.turns.next(gone);
      await delay(LOOK_INTERVAL);
    }
    throw serviceUnavailable('The test event has no identifier yet.');
  }
}
