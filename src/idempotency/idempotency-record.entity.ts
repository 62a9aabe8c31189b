import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/**
 * The outcome of a request that carried an `Idempotency-Key`. The outcome is encrypted, and the
 * columns that identify the request are keyed hashes, apart from a company's own identifier (see
 * `RecordSeal`).
 */
@Entity()
export class IdempotencyRecord {
  @PrimaryColumn('uuid')
  scope!: StoredId;

  @PrimaryColumn('bytea')
  keyHash!: Buffer;

  /** Hash of what another request with the same key must match. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('bytea')
  outcome!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;
}
