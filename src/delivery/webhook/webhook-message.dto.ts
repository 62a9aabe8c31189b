import { EventDto } from '../feed/feed.dto';
import type { Event } from '../../platform/event/event.entity';
import { messageOfType } from '../feed/event.fields';
import { EVENT_TYPES, EventType } from '../../platform/event/event.types';
import { ResponseEnum, ResponseObject, ResponseTime } from '../../platform/openapi/response-fields';
import { RefineSchema } from '../../platform/openapi/schema-refinements';

/** What a webhook receives about an event, as Standard Webhooks defines it. */
@RefineSchema(messageOfType)
export class WebhookMessageDto {
  @ResponseEnum(EVENT_TYPES, 'EventType')
  type!: EventType;

  /** When the change was made. */
  @ResponseTime()
  timestamp!: Date;

  /** The event, as in the list of events. */
  @ResponseObject(() => EventDto)
  data!: EventDto;

  static from(event: Event, currency: string): WebhookMessageDto {
    const data = EventDto.from(event, currency);
    return { type: data.type, timestamp: data.created_at, data };
  }
}
