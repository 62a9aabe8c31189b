import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from './event.types';

/** The value of a field before and after a change. */
export interface FieldChange {
  old: unknown;
  new: unknown;
}

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'event_pkey' };

/**
 * A change of a campaign or an API key. The database writes it, by a trigger in the transaction of
 * the change. Nothing of an event changes but its `seq`, once.
 */
@Entity({ comment: 'distributed by company_id' })
@Check(
  'event_type_known',
  `type IN ('campaign.created', 'campaign.updated', 'campaign.started', 'campaign.stopped',
    'campaign.completed', 'campaign.archived', 'campaign.unarchived',
    'campaign.questions_replaced', 'campaign.cohort_rewards_updated',
    'api_key.generated', 'api_key.updated', 'api_key.rotated', 'api_key.revoked',
    'webhook.tested', 'webhook.disabled', 'response.submitted', 'response.reversed')`,
)
@Index('event_feed', ['companyId', 'seq'], { unique: true, where: 'seq IS NOT NULL' })
@Index('event_unsequenced', ['companyId', 'createdAt'], { where: 'seq IS NULL' })
export class Event {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  /** The post_id or key_id of the changed campaign or API key. */
  @PrimaryColumn('text', { ...KEY })
  subject!: string;

  /** The subject's version after this change; 1 for its creation. */
  @PrimaryColumn('integer', { ...KEY })
  version!: number;

  /** A change of one version can have several kinds, each with an event of its own. */
  @PrimaryColumn('text', { ...KEY })
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
  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
