import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** The outcome of a request that carried an `Idempotency-Key`. */
@Entity()
@Index('idempotency_record_created_at', ['createdAt'])
export class IdempotencyRecord {
  /** Whose key it is: a company, or on public routes the e-mail address of the request. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  scope!: string;

  /** SHA-256 of the key. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  keyHash!: Buffer;

  /** Method and pattern of the route. */
  @Column('text')
  route!: string;

  /** SHA-256 of the request body's canonical JSON. */
  @Column('bytea')
  fingerprint!: Buffer;

  /** The answer, encrypted: it may hold a secret that is shown only once. */
  @Column('bytea')
  outcome!: Buffer;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
