import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What a field was before a change and is after it. */
export interface FieldChange {
  old: unknown;
  new: unknown;
}

/**
 * A change of a campaign or an API key. Written by the database, by a trigger in the transaction
 * of the change; never by this code, and never changed.
 */
@Entity()
@Index('audit_event_subject', { synchronize: false })
export class AuditEvent {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'audit_event_pkey',
  })
  id!: string;

  /** The post_id or key_id of what was changed. */
  @Column('text')
  subject!: string;

  @Column('text')
  action!: 'created' | 'updated';

  /** The key_id or company_id of who changed it. */
  @Column('text')
  actor!: string;

  /** By the names of the fields. */
  @Column('jsonb')
  changes!: Record<string, FieldChange>;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
