import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import type { EventType } from './event.types';

/** The value of a field before and after a change. */
export interface FieldChange {
  old: unknown;
  new: unknown;
}

/** An event, whether it has a number yet or not. */
export type UnnumberedEvent = Omit<Event, 'seq'>;

/**
 * A change in the log. The database writes it, in the transaction of the change, and the sequencer
 * gives it its number. From then on it never changes.
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

  /** The event's number within its company. */
  @Column('bigint')
  seq!: string;

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
