import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { PlatformScope } from './platform-scopes';

/** The key of a platform that shows campaigns to people. The secret itself is never stored. */
@Entity({ comment: 'local' })
@Check('platform_key_name_length', 'char_length(name) BETWEEN 1 AND 100')
@Check(
  'platform_key_scopes_known',
  `scopes <@ ARRAY['fielding:read', 'fielding:write'] AND cardinality(scopes) > 0`,
)
@Index('platform_key_hash_unique', ['keyHash'], { unique: true })
export class PlatformKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'platform_key_pkey' })
  keyId!: string;

  /** SHA-256 of the secret, 32 bytes. */
  @Column('bytea')
  keyHash!: Buffer;

  /** The secret's first characters, for people to tell keys apart. */
  @Column('text')
  prefix!: string;

  /** The platform that the key is for, in the operator's words. */
  @Column('text')
  name!: string;

  @Column('text', { array: true })
  scopes!: PlatformScope[];

  /** When the key was revoked. A key with a value here is refused. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Accurate to about a minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
