import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';

/** A registered client company: one account. Its email address is unique regardless of case. */
@Entity()
export class Company {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  /** Argon2id, in PHC string format. */
  @Column('text')
  passwordHash!: string;

  /** ISO 4217. It never changes. */
  @Column('text')
  currency!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
