import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';

/**
 * What respondents of a platform were paid in a range of a company's log. Only being paid changes
 * it.
 */
@Entity()
export class Settlement {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('uuid')
  settlementId!: StoredId;

  @Column('text')
  platform!: string;

  @Column('text')
  currency!: string;

  /** It has the payments after this number of the log. */
  @Column('bigint')
  fromSeq!: string;

  /** The last number that it accounts for. */
  @Column('bigint')
  toSeq!: string;

  /** The settlement that ends where this one begins; `null` for the first. */
  @Column('uuid', { nullable: true })
  previousId!: StoredId | null;

  @Column('bigint')
  payments!: string;

  @Column('integer')
  campaigns!: number;

  /** An exact decimal, negative if more was taken back than paid. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  net!: string;

  /** The hash of its file, 32 bytes. */
  @Column('bytea')
  sha256!: Buffer;

  @Column('timestamptz')
  closedAt!: Date;

  @Column('timestamptz', { nullable: true })
  paidAt!: Date | null;

  /** What the operator has paid it with, such as the number of a bank transfer. */
  @Column('text', { nullable: true })
  reference!: string | null;
}
