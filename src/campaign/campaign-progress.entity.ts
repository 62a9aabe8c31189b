import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MONEY_COLUMN } from './money.columns';
import type { StoredId } from '../database/identifiers';

const TOTAL = { type: 'numeric', precision: 20, scale: 2, default: 0 } as const;

/**
 * How far a campaign is: what its limits are compared with. The limits are copies that the
 * campaign's triggers write. A campaign has a row from its first limit on, or its first response.
 */
@Entity()
export class CampaignProgress {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  @Column('integer', { nullable: true })
  maxResponses!: number | null;

  @Column({ ...MONEY_COLUMN, nullable: true })
  budget!: string | null;

  /** Places that were taken and not given back; answered ones among them. */
  @Column('integer')
  taken!: number;

  @Column('integer')
  answered!: number;

  /** Answered ones whose reward was taken back. */
  @Column('integer')
  reversed!: number;

  @Column('integer')
  abandoned!: number;

  @Column('integer')
  expired!: number;

  /** Money for those who are answering, as an exact decimal. */
  @Column(TOTAL)
  held!: string;

  /** Money that was paid, as an exact decimal. */
  @Column({ ...TOTAL })
  spent!: string;
}
