import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MONEY_COLUMN } from '../../campaigns/campaign/money.columns';
import type { StoredId } from '../../platform/database/identifiers';
import type { TransferKind } from './ledger.types';

/** Money that moved from one account to another. It never changes; an archive may take it out. */
@Entity()
export class Transfer {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  @PrimaryColumn('uuid')
  participationId!: StoredId;

  @PrimaryColumn('text')
  kind!: TransferKind;

  /** An exact decimal. */
  @Column(MONEY_COLUMN)
  amount!: string;

  /** What a settlement gives back from `held` to `company`, as an exact decimal; 0 for others. */
  @Column(MONEY_COLUMN)
  released!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

/** A transfer, and the campaign that it is about. */
export interface ListedTransfer {
  transfer: Transfer;
  postId: string;
}
