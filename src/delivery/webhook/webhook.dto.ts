import { Mode, modeOf } from '../../platform/caller/environment.rules';
import { ResponseMode } from '../../access/company/mode.field';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import {
  ResponseEnum,
  ResponseEnums,
  ResponseFlag,
  ResponseId,
  ResponseList,
  ResponseSequence,
  ResponseTime,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import {
  ChangeOf,
  CreationOf,
  InRequests,
  ResourceField,
} from '../../platform/openapi/resource-fields';
import type { EventType } from '../../platform/event/event.types';
import { TextArray } from '../../platform/validation/fields/array.fields';
import { Flag } from '../../platform/validation/fields/choice.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { HttpUrl } from '../../platform/validation/fields/url.field';
import type { WebhookEndpoint } from './webhook-endpoint.entity';
import { DELIVERED_TYPES, DISABLED_REASONS, DisabledReason } from './webhook.types';

/**
 * The webhook_id in the documentation's examples. On the documentation page it stands for the
 * webhook that was created there last.
 */
export const EXAMPLE_WEBHOOK_ID = 'whk_01k9x2v8zdf3xbz0q4v5rk6t7m';

const WEBHOOKS_MAXIMUM = 20;

/** The fields that a company writes for a webhook; requests and responses derive from here. */
export class WebhookFieldsDto {
  @ResourceField(HttpUrl, {
    example: 'https://example.com/webhooks',
    create: 'Where to send events: an https URL with a public address.',
  })
  url!: string;

  /** The types of events that it receives; `null` for every type. */
  @ResponseEnums(DELIVERED_TYPES, 'DeliveredEventType')
  @InRequests(TextArray, {
    minimum: 1,
    maximum: DELIVERED_TYPES.length,
    length: 100,
    values: DELIVERED_TYPES,
    name: 'DeliveredEventType',
    example: ['campaign.started', 'campaign.stopped'],
    nullable: true,
    create: 'The types of events to send; every type by default.',
    change: '`null` for every type.',
  })
  event_types!: EventType[] | null;

  @ResourceField(Text, {
    maximum: 200,
    example: 'Order system',
    nullable: true,
    create: 'A note that tells this webhook from your others.',
    change: '`null` removes it.',
  })
  description!: string | null;
}

export class CreateWebhookDto extends CreationOf(WebhookFieldsDto) {}

/** The webhook that a request is about. */
export class WebhookPathDto {
  /** The webhook, by the `webhook_id` that its creation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_WEBHOOK_ID })
  webhook_id!: string;
}

export class RotateWebhookSecretDto extends WebhookPathDto {}
export class DeleteWebhookDto extends WebhookPathDto {}
export class TestWebhookDto extends WebhookPathDto {}

// The webhook and at least one change.
@RefineSchema((schema) => ({ ...schema, minProperties: 2 }))
export class UpdateWebhookDto extends ChangeOf(WebhookFieldsDto, 'update') {
  /** The webhook, by the `webhook_id` that its creation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_WEBHOOK_ID })
  webhook_id!: string;

  /** `false` stops sending. `true` continues with the first event that was not sent. */
  @Flag({ optional: true, example: true })
  enabled?: boolean;
}

const numberOf = (seq: string | null) => (seq === null ? null : Number(seq));

/** An endpoint of your company that receives events. */
export class WebhookDto extends WebhookFieldsDto {
  @ResponseId('whk')
  webhook_id!: string;

  /** Whether it receives events about live or about test data. */
  @ResponseMode()
  mode!: Mode;

  @ResponseFlag()
  enabled!: boolean;

  /**
   * Why it is disabled: by an update (`owner`), by a response with status 410 (`gone`), or because
   * a delivery failed after days without a successful attempt (`failing`).
   */
  @ResponseEnum(DISABLED_REASONS, 'WebhookDisabledReason', { nullable: true })
  disabled_reason!: DisabledReason | null;

  /** The first failed attempt since the last successful one; `null` if the last one succeeded. */
  @ResponseTime()
  failing_since!: Date | null;

  /**
   * The `seq` of the first event that it has missed for good, because the operator has archived the
   * events while it was disabled; `null` if it has missed none. It may have received some of the
   * following ones.
   */
  @ResponseSequence()
  missed_from_seq!: number | null;

  /** The `seq` of the last one of these events: once it is enabled, it continues after it. */
  @ResponseSequence()
  missed_to_seq!: number | null;

  /** When the secret before the last rotation stops signing; `null` without a rotation. */
  @ResponseTime()
  previous_secret_ends_at!: Date | null;

  @ResponseTime()
  created_at!: Date;

  @ResponseTime()
  updated_at!: Date;

  static from(webhook: WebhookEndpoint): WebhookDto {
    return {
      webhook_id: webhook.webhookId,
      mode: modeOf(webhook.companyId),
      url: webhook.url,
      event_types: webhook.eventTypes,
      description: webhook.description,
      enabled: webhook.enabled,
      disabled_reason: webhook.disabledReason,
      failing_since: webhook.failingSince,
      missed_from_seq: numberOf(webhook.missedFromSeq),
      missed_to_seq: numberOf(webhook.missedToSeq),
      previous_secret_ends_at: webhook.previousSecretEndsAt,
      created_at: webhook.createdAt,
      updated_at: webhook.updatedAt,
    };
  }
}

export class TestedWebhookDto extends WebhookDto {
  /** The `webhook.tested` event: the `webhook-id` of its message. */
  @ResponseId('evt')
  event_id!: string;
}

export class WebhookWithSecretDto extends WebhookDto {
  /** Verifies the messages of this webhook. It is shown once and cannot be read again. */
  @ResponseToken('^whsec_[A-Za-z0-9+/]{43}=$', 50)
  secret!: string;

  static with(webhook: WebhookEndpoint, secret: string): WebhookWithSecretDto {
    return { ...WebhookDto.from(webhook), secret };
  }
}

export class WebhookListDto {
  /** Oldest first. */
  @ResponseList(() => WebhookDto, { maximum: WEBHOOKS_MAXIMUM })
  items!: WebhookDto[];
}
