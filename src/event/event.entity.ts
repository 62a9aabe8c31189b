import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import type { EventType } from './event.types';

/** The value of a field before and after a change. */
export interface FieldChange {
  old: unknown;
  new: unknown;
}

/**
 * A change of a campaign or an API key. The database writes it, by a trigger in the transaction of
 * the change. Nothing of an event changes but its `seq`, once.
 */
@Entity()
export class Event {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  /** The identifier of what changed; the type says of which kind it is. */
  @PrimaryColumn('uuid')
  subject!: StoredId;

  /** The subject's version after this change; 1 for its creation. A version has one event. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('text')
  type!: EventType;

  /** The event's number within its company; `null` until the sequencer has numbered it. */
  @Column('bigint', { nullable: true })
  seq!: string | null;

  /** The key_id or company_id of the caller that made the change. */
  @Column('text')
  actor!: string;

  /** By field name: the value for a creation, a {@link FieldChange} otherwise. */
  @Column('jsonb')
  changes!: Record<string, unknown>;

  /** Does not decrease from one of a subject's events to the next. */
  @Column('timestamptz')
  createdAt!: Date;
}
