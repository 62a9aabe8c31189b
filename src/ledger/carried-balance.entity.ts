import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import type { TransferKind } from './ledger.types';

/**
 * What the transfers of a campaign that are in an archive amount to, by their kind. Amounts are
 * exact decimals.
 */
@Entity()
export class CarriedBalance {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  @PrimaryColumn('text')
  kind!: TransferKind;

  /** How many there are. */
  @Column('bigint')
  transfers!: string;

  @Column('numeric', { precision: 20, scale: 2 })
  amount!: string;

  /** What settlements gave back; 0 for other kinds. */
  @Column('numeric', { precision: 20, scale: 2 })
  released!: string;

  /** When the first of them was made. */
  @Column('timestamptz')
  firstAt!: Date;

  @Column('timestamptz')
  lastAt!: Date;
}
