import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PlatformScope } from './platform-scopes';

/** The key of a platform that shows campaigns to people. The secret itself is never stored. */
@Entity()
export class PlatformKey {
  @PrimaryColumn('text')
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
  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  /** Accurate to about a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}
