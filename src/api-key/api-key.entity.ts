import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Company } from '../company/company.entity';
import type { Mode } from '../company/environment.rules';
import type { Scope } from './scopes';

/** An API key. The secret itself is never stored. */
@Entity({ comment: 'local' })
@Check(
  'api_key_scopes_known',
  `scopes <@ ARRAY['campaigns:read', 'campaigns:write', 'events:read',
      'webhooks:read', 'webhooks:write', 'responses:read', 'ledger:read']
    AND cardinality(scopes) > 0`,
)
@Check('api_key_mode_known', `mode IN ('live', 'test')`)
@Index('api_key_hash_unique', ['keyHash'], { unique: true })
@Index('api_key_list', ['companyId', 'id'], { unique: true })
export class ApiKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_key_pkey' })
  keyId!: string;

  /** Increases in the order of creation and depends on no clock. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  @ForeignKey(() => Company, { name: 'api_key_company_fkey', onDelete: 'CASCADE' })
  companyId!: string;

  /** The environment that the key is for. */
  @Column('text', { default: 'live' })
  mode!: Mode;

  /** SHA-256 of the secret, 32 bytes. */
  @Column('bytea')
  keyHash!: Buffer;

  /** The secret's first characters, for people to tell keys apart. */
  @Column('text')
  prefix!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { array: true })
  scopes!: Scope[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** When the key was revoked. A key with a value here is refused at any time. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** The time from which a rotated key is refused. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  overlapEndsAt!: Date | null;

  /** The key_id of the key that replaced this one in a rotation. */
  @Column('text', { nullable: true })
  replacedBy!: string | null;

  /** Accurate to about a minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  /** Number of the current version; using the key does not change it. Set by the database. */
  @Column('integer', { default: 1 })
  version!: number;

  /** Who changed the key last: the company itself, with its account token. */
  @Column('text')
  updatedBy!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
