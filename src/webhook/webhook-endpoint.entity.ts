import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EventType } from '../event/event.types';
import type { DisabledReason } from './webhook.types';

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'webhook_endpoint_pkey' };

/** An endpoint that receives a company's events. */
@Entity({ comment: 'distributed by company_id' })
@Unique('webhook_endpoint_slot_unique', ['companyId', 'slot'])
@Check('webhook_endpoint_maximum', 'slot BETWEEN 1 AND 20')
@Check('webhook_endpoint_url_length', 'char_length(url) BETWEEN 1 AND 2048')
@Check('webhook_endpoint_description_length', 'char_length(description) BETWEEN 1 AND 200')
@Check('webhook_endpoint_event_types_present', 'cardinality(event_types) > 0')
@Check(
  'webhook_endpoint_disabled_reason',
  `CASE WHEN enabled THEN disabled_reason IS NULL
    ELSE disabled_reason IS NOT NULL AND disabled_reason IN ('owner', 'gone', 'failing') END`,
)
@Index('webhook_endpoint_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class WebhookEndpoint {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('text', { ...KEY })
  webhookId!: string;

  /** One of the company's places for endpoints, from 1. */
  @Column('smallint')
  slot!: number;

  @Column('text')
  url!: string;

  /** `null` for every type. */
  @Column('text', { array: true, nullable: true })
  eventTypes!: EventType[] | null;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** The encrypted secret. */
  @Column('bytea')
  secret!: Buffer;

  /** The encrypted secret before the last rotation. */
  @Column('bytea', { nullable: true })
  previousSecret!: Buffer | null;

  /** The time until which the previous secret signs too. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretEndsAt!: Date | null;

  /** The endpoint has read the log up to the event with this number. */
  @Column('bigint')
  claimedSeq!: string;

  /** When a dispatcher must look at the endpoint; `null` if only a new event gives it work. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** The first failure since the last success. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** How often the owner has tested the endpoint. */
  @Column('integer', { default: 0 })
  tests!: number;

  /** Number of the current version; deliveries do not change it. */
  @Column('integer', { default: 1 })
  version!: number;

  /** Who changed the endpoint last: a key_id, or `service`. */
  @Column('text')
  updatedBy!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
