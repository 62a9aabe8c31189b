import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Campaign } from './campaign.entity';
import { MONEY_COLUMN } from './cohort-rewards.columns';

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'campaign_progress_pkey' };
const TOTAL = { type: 'numeric', precision: 20, scale: 2, default: 0 } as const;

/**
 * How far a campaign is: what its limits are compared with. The limits are copies that the
 * campaign's triggers write. A campaign has a row from its first limit on, or its first response.
 */
@Entity({ comment: 'distributed by company_id' })
@Check('campaign_progress_within_max_responses', `taken <= max_responses`)
@Check('campaign_progress_within_budget', `held + spent <= budget`)
@Check('campaign_progress_answered_taken', `answered BETWEEN 0 AND taken`)
@Check('campaign_progress_not_negative', `held >= 0 AND spent >= 0`)
@ForeignKey(() => Campaign, ['companyId', 'campaignId'], ['companyId', 'id'], {
  name: 'campaign_progress_campaign_fkey',
})
export class CampaignProgress {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  campaignId!: string;

  @Column('integer', { nullable: true })
  maxResponses!: number | null;

  @Column({ ...MONEY_COLUMN, nullable: true })
  budget!: string | null;

  /** Places that were taken and not given back; answered ones among them. */
  @Column('integer', { default: 0 })
  taken!: number;

  @Column('integer', { default: 0 })
  answered!: number;

  /** Money for those who are answering, as an exact decimal. */
  @Column(TOTAL)
  held!: string;

  /** Money that was paid, as an exact decimal. */
  @Column({ ...TOTAL })
  spent!: string;
}
