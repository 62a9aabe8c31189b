import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../platform/caller/environment.rules';
import type { Scope } from './scopes';
import type { SpendingPeriod } from './spending.types';
import type { StoredId } from '../../platform/database/identifiers';

/** An API key. The secret itself is never stored. */
@Entity()
export class ApiKey {
  @PrimaryColumn('text')
  keyId!: string;

  /** Increases in the order of creation and depends on no clock. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  companyId!: StoredId;

  /** The environment that the key is for. */
  @Column('text')
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

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** When the key was revoked. A key with a value here is refused at any time. */
  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  /** The time from which a rotated key is refused. */
  @Column('timestamptz', { nullable: true })
  overlapEndsAt!: Date | null;

  /** The key_id of the key that replaced this one in a rotation. */
  @Column('text', { nullable: true })
  replacedBy!: string | null;

  /** Accurate to about a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** The most that the key may commit in a period, as a decimal; `null` for no limit. */
  @Column('numeric', { nullable: true })
  spendingLimit!: string | null;

  @Column('text', { nullable: true })
  spendingPer!: SpendingPeriod | null;

  /** What a campaign may cost without an approval, as a decimal; `null` for anything. */
  @Column('numeric', { nullable: true })
  approvalAbove!: string | null;

  /** The first of the keys that replaced each other and spend together, once there was a limit. */
  @Column('uuid', { nullable: true })
  spender!: StoredId | null;

  /** Number of the current version; using the key does not change it. Set by the database. */
  @Column('integer')
  version!: number;

  /** Who changed the key last: the company itself, with its account token. */
  @Column('text')
  updatedBy!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
