import { PickType } from '@nestjs/swagger';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseObject,
  ResponseSequence,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { Mode, modeOf } from '../../platform/caller/environment.rules';
import { currencyOf, Principal, readsResponses } from '../../platform/caller/principal';
import { PostId } from '../../campaigns/campaign/post-id.field';
import { ResponseCurrency } from '../../access/company/currency.field';
import { ResponseMode } from '../../access/company/mode.field';
import {
  WholeNumberParameter,
  WordsParameter,
} from '../../platform/validation/fields/query.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { CoveredDto } from '../../platform/event/covered.dto';
import { eventId } from '../../platform/event/event-id.rules';
import type { Event } from '../../platform/event/event.entity';
import { EVENT_TYPES, EventType } from '../../platform/event/event.types';
import { subjectOf } from '../../platform/event/subject.rules';
import { eventOfType } from './event.fields';
import type { FeedPage } from './feed.service';
import { ActorDto, ChangeDto, fieldChangesOf } from '../../platform/event/history.dto';

/**
 * The event_id in the documentation's examples. On the documentation page it stands for the event
 * that was read there last.
 */
export const EXAMPLE_EVENT_ID = 'evt_01k9x2v8zdf3xbz0q4v5rk6t7m';

export const FEED_LIMIT_DEFAULT = 100;
const FEED_LIMIT_MAXIMUM = 1_000;

/** A number of an event, or 0; it has as many digits as a number in a query may have. */
const SEQ_MAXIMUM = 999_999_999_999_999;

/** Which events to read. */
export class EventListQueryDto {
  /** The `covers.to` of the previous page; 0, the default, reads from the beginning. */
  @WholeNumberParameter({ minimum: 0, maximum: SEQ_MAXIMUM, example: 0 })
  after?: number;

  /** Only events of these types, separated by commas. */
  @WordsParameter({ values: EVENT_TYPES, example: 'campaign.started,campaign.stopped' })
  types?: string;

  /** Only events about the campaign, API key, webhook, participation or guardrail with this identifier. */
  @Text({ maximum: ID_MAX_LENGTH, optional: true })
  subject?: string;

  /** Only events about this campaign, the responses to it and the guardrails that fired on it. */
  @PostId({ optional: true })
  post_id?: string;

  /** The most events to return; 100 by default. */
  @WholeNumberParameter({
    minimum: 1,
    maximum: FEED_LIMIT_MAXIMUM,
    example: FEED_LIMIT_DEFAULT,
  })
  limit?: number;

  /** How long to wait for an event if there is none yet, in seconds; 0 by default. */
  @WholeNumberParameter({ minimum: 0, maximum: 20, example: 0 })
  wait_seconds?: number;
}

/** Which event to read. */
export class EventPathDto {
  /** The event, by the `event_id` that the feed or a message to a webhook has. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_EVENT_ID })
  event_id!: string;
}

/** Something that happened to a campaign, an API key or a webhook. */
@RefineSchema(eventOfType)
export class EventDto extends PickType(ChangeDto, ['actor', 'created_at', 'changes']) {
  /** The event's number within your company: 1, 2, 3 and so on, without a gap. */
  @ResponseSequence()
  seq!: number;

  @ResponseId('evt')
  event_id!: string;

  @ResponseEnum(EVENT_TYPES, 'EventType')
  type!: EventType;

  /** Whether it is about live or about test data. */
  @ResponseMode()
  mode!: Mode;

  /** The `post_id`, `key_id`, `webhook_id`, `participation_id` or `guardrail_id` of what changed. */
  @ResponseText({ maximum: 32 })
  subject!: string;

  /** The version of the subject after the change. */
  @ResponseInteger({ minimum: 1 })
  version!: number;

  /** The currency of your company: that of the amounts in `changes`. */
  @ResponseCurrency()
  currency!: string;

  static from(event: Event, currency: string): EventDto {
    return {
      seq: Number(event.seq),
      event_id: eventId(event),
      type: event.type,
      mode: modeOf(event.companyId),
      subject: subjectOf(event),
      version: event.version,
      actor: ActorDto.from(event),
      created_at: event.createdAt,
      currency,
      changes: fieldChangesOf(event),
    };
  }

  /** The event without what the reader may not see. */
  static shownTo(reader: Principal, event: Event): EventDto {
    const shown = readsResponses(reader) ? event : withoutMeasurements(event);
    return EventDto.from(shown, currencyOf(reader));
  }
}

/** Leaves out what a guardrail has measured. A webhook's claim does so in the database. */
function withoutMeasurements(event: Event): Event {
  if (event.type !== 'guardrail.triggered') {
    return event;
  }
  const { values: _, ...changes } = event.changes;
  return { ...event, changes };
}

export class EventPageDto {
  /** Oldest first. */
  @ResponseList(() => EventDto, { maximum: FEED_LIMIT_MAXIMUM })
  items!: EventDto[];

  /** The events that this page accounts for, whether or not the filters leave them out. */
  @ResponseObject(() => CoveredDto)
  covers!: CoveredDto;

  /** The `seq` of your company's last event; 0 before the first. */
  @ResponseInteger({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
  last_seq!: number;

  /** Whether there are events after `covers.to`. */
  @ResponseFlag()
  has_more!: boolean;

  static from({ items, from, to, lastSeq }: FeedPage, reader: Principal): EventPageDto {
    return {
      items: items.map((event) => EventDto.shownTo(reader, event)),
      covers: { from, to },
      last_seq: lastSeq,
      has_more: to < lastSeq,
    };
  }
}
