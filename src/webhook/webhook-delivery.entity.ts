import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Event } from '../event/event.entity';
import type { DeliveryError, DeliveryState } from './webhook.types';
import type { StoredId } from '../database/identifiers';

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

/** The delivery of an event to an endpoint. It exists from the first attempt on. */
@Entity()
export class WebhookDelivery {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('text')
  webhookId!: string;

  /** The number of the event. */
  @PrimaryColumn('bigint')
  seq!: string;

  @Column('text')
  state!: DeliveryState;

  /** The next attempt, or the end of the lease of the running one; `null` once it is finished. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** The start of the running attempt; `null` if none is running. */
  @Column('timestamptz', { nullable: true })
  claimedAt!: Date | null;

  /** Which claim is the valid one. Only its holder may write a result. */
  @Column('integer')
  claim!: number;

  /** Failed attempts since the delivery began, or was replayed. */
  @Column('integer')
  failures!: number;

  /** The last attempts, oldest first. */
  @Column('jsonb')
  attempts!: Attempt[];

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}

/** A delivery with its event. */
export interface EventDelivery {
  delivery: WebhookDelivery;
  event: Event;
}
