import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../platform/event/event.types';
import type { DisabledReason } from './webhook.types';
import type { StoredId } from '../../platform/database/identifiers';

/** An endpoint that receives a company's events. */
@Entity()
export class WebhookEndpoint {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('text')
  webhookId!: string;

  /** One of the company's places for endpoints, from 1. */
  @Column('smallint')
  slot!: number;

  @Column('text')
  url!: string;

  /** Whether the key that set the URL may read responses: see the function of that name. */
  @Column('boolean')
  readsResponses!: boolean;

  /** `null` for every type. */
  @Column('text', { array: true, nullable: true })
  eventTypes!: EventType[] | null;

  @Column('text', { nullable: true })
  description!: string | null;

  /** The company's currency (ISO 4217). */
  @Column('text')
  currency!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** The encrypted secret. */
  @Column('bytea')
  secret!: Buffer;

  /** The time until which the previous secret signs too. */
  @Column('timestamptz', { nullable: true })
  previousSecretEndsAt!: Date | null;

  /** The endpoint has read the log up to the event with this number. */
  @Column('bigint')
  claimedSeq!: string;

  /** The first and the last event that were archived before the disabled endpoint had read them. */
  @Column('bigint', { nullable: true })
  missedFromSeq!: string | null;

  @Column('bigint', { nullable: true })
  missedToSeq!: string | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  /** Number of the current version; deliveries do not change it. */
  @Column('integer')
  version!: number;

  /** Who changed the endpoint last: a key_id, or `service`. */
  @Column('text')
  updatedBy!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
