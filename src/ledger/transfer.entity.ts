import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MONEY_COLUMN } from '../campaign/cohort-rewards.columns';
import { Participation } from '../fielding/participation.entity';
import type { Account, TransferKind } from './ledger.types';

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'transfer_pkey' };

/** Money that moved from one account to another. It is never changed or deleted. */
@Entity({ comment: 'distributed by company_id' })
@Check('transfer_amount_positive', 'amount > 0')
@Check(
  'transfer_accounts',
  `CASE kind
    WHEN 'hold' THEN debit = 'company' AND credit = 'held'
    WHEN 'settle' THEN debit = 'held' AND credit = 'respondents'
    WHEN 'release' THEN debit = 'held' AND credit = 'company'
    WHEN 'reverse' THEN debit = 'respondents' AND credit = 'company'
    ELSE false
  END`,
)
@ForeignKey(
  () => Participation,
  ['companyId', 'campaignId', 'participationId'],
  ['companyId', 'campaignId', 'participationId'],
  { name: 'transfer_participation_fkey' },
)
@Index('transfer_list', ['companyId', 'createdAt', 'participationId', 'kind'])
export class Transfer {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  campaignId!: string;

  @PrimaryColumn('text', { ...KEY })
  participationId!: string;

  @PrimaryColumn('text', { ...KEY })
  kind!: TransferKind;

  /** The account that the money comes from. */
  @Column('text')
  debit!: Account;

  /** The account that the money goes to. */
  @Column('text')
  credit!: Account;

  /** An exact decimal. */
  @Column(MONEY_COLUMN)
  amount!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;
}

/** A transfer, and the campaign that it is about. */
export interface ListedTransfer {
  transfer: Transfer;
  postId: string;
}
