import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The outcome of a request that carried an `Idempotency-Key`. The outcome is encrypted, and the
 * columns that identify the request are keyed hashes, apart from a company's own identifier (see
 * `RecordSeal`).
 */
@Entity({ comment: 'distributed by scope' })
@Index('idempotency_record_created_at', ['createdAt'])
export class IdempotencyRecord {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  scope!: string;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  keyHash!: Buffer;

  /** Hash of what another request with the same key must match. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('bytea')
  outcome!: Buffer;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
