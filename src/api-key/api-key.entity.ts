import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Company } from '../company/company.entity';
import type { Scope } from './scopes';

/** An API key. The secret itself is never stored. */
@Entity()
@Check(
  'api_key_scopes_known',
  `scopes <@ ARRAY['campaigns:read', 'campaigns:write'] AND cardinality(scopes) > 0`,
)
@Index('api_key_hash_unique', ['keyHash'], { unique: true })
@Index('api_key_company', ['companyId', 'keyId'])
export class ApiKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_key_pkey' })
  keyId!: string;

  @Column('text')
  @ForeignKey(() => Company, { name: 'api_key_company_fkey', onDelete: 'CASCADE' })
  companyId!: string;

  /** SHA-256 of the secret, 32 bytes. */
  @Column('bytea')
  keyHash!: Buffer;

  /** The secret's first characters, by which people tell keys apart. */
  @Column('text')
  prefix!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { array: true })
  scopes!: Scope[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** From when the key is refused; may lie ahead, while a rotation's overlap lasts. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Accurate within a minute or so. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  /** Who changed the key last: the company, by its account. */
  @Column('text')
  updatedBy!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
