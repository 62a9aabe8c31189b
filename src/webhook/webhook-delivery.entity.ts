import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DeliveryError, DeliveryState } from './webhook.types';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** An attempt to deliver an event. */
export interface Attempt {
  /** When it began, as PostgreSQL writes a time in JSON. */
  at: string;
  /** The status of the response; `null` without one. */
  status: number | null;
  /** `null` if the attempt was interrupted. */
  duration_ms: number | null;
  /** `null` for a success. */
  error: DeliveryError | null;
}

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'webhook_delivery_pkey' };

/** The delivery of an event to an endpoint. It exists from the first attempt on. */
@Entity({ comment: 'distributed by company_id' })
@Check(
  'webhook_delivery_state',
  `CASE state
    WHEN 'pending' THEN due_at IS NOT NULL AND finished_at IS NULL
    WHEN 'delivered' THEN due_at IS NULL AND claimed_at IS NULL AND finished_at IS NOT NULL
    WHEN 'failed' THEN due_at IS NULL AND claimed_at IS NULL AND finished_at IS NOT NULL
    ELSE false END`,
)
@Index('webhook_delivery_unfinished', ['companyId', 'webhookId', 'dueAt'], {
  where: 'due_at IS NOT NULL',
})
@Index('webhook_delivery_running', ['companyId', 'webhookId'], { where: 'claimed_at IS NOT NULL' })
@Index('webhook_delivery_failed', ['companyId', 'webhookId', 'seq'], {
  where: `state = 'failed'`,
})
@Index('webhook_delivery_finished', ['finishedAt'], { where: 'finished_at IS NOT NULL' })
@ForeignKey(() => WebhookEndpoint, ['companyId', 'webhookId'], ['companyId', 'webhookId'], {
  name: 'webhook_delivery_endpoint_fkey',
  onDelete: 'CASCADE',
})
export class WebhookDelivery {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('text', { ...KEY })
  webhookId!: string;

  /** The number of the event. */
  @PrimaryColumn('bigint', { ...KEY })
  seq!: string;

  @Column('text')
  state!: DeliveryState;

  /** The next attempt, or the end of the lease of the running one; `null` once it is finished. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt!: Date | null;

  /** The start of the running attempt; `null` if none is running. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedAt!: Date | null;

  /** Which claim is the valid one. Only its holder may write a result. */
  @Column('integer', { default: 1 })
  claim!: number;

  /** Failed attempts since the delivery began, or was replayed. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** The last attempts, oldest first. */
  @Column('jsonb', { default: [] })
  attempts!: Attempt[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
