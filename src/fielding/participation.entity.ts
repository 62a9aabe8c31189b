import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CampaignProgress } from '../campaign/campaign-progress.entity';
import { MONEY_COLUMN } from '../campaign/cohort-rewards.columns';
import { QuestionSet } from '../questions/question-set.entity';
import type { ParticipationStatus } from './participation.types';

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'participation_pkey' };

/**
 * A respondent's part in a campaign: the place, what was promised for it, and what came of it. The
 * functions of the migration write it, with its transfers and the campaign's counters.
 */
@Entity({ comment: 'distributed by company_id' })
@Check(
  'participation_promise',
  `cardinality(rewards) = 5 AND array_position(rewards, NULL) IS NULL
    AND held = greatest(rewards[1], rewards[2], rewards[3], rewards[4], rewards[5])
    AND expires_at > begun_at`,
)
@Check(
  'participation_reward',
  `CASE WHEN state IN ('submitted', 'reversed')
    THEN attention_score IS NOT NULL AND cohort IS NOT NULL AND reward IS NOT NULL
      AND attention_score BETWEEN 0 AND 10
      AND cohort = least(5, floor(attention_score / 2) + 1)
      AND reward = rewards[cohort]
    ELSE attention_score IS NULL AND cohort IS NULL AND reward IS NULL AND submission IS NULL
  END`,
)
@Check(
  'participation_state',
  `state IN ('open', 'submitted', 'abandoned', 'expired', 'reversed')
    AND (state = 'open') = (closed_at IS NULL)
    AND (state = 'reversed') = (reversed_at IS NOT NULL)
    AND (state = 'reversed') = (reversal_reason IS NOT NULL)`,
)
@ForeignKey(() => CampaignProgress, ['companyId', 'campaignId'], ['companyId', 'campaignId'], {
  name: 'participation_campaign_progress_fkey',
})
@ForeignKey(
  () => QuestionSet,
  ['companyId', 'campaignId', 'questionSetVersion'],
  ['companyId', 'campaignId', 'version'],
  { name: 'participation_question_set_fkey' },
)
@Index('participation_respondent', ['respondent', 'companyId', 'campaignId'], { unique: true })
@Index('participation_open', ['expiresAt'], { where: `state = 'open'` })
@Index('participation_responses', ['companyId', 'campaignId', 'closedAt', 'participationId'], {
  where: `state IN ('submitted', 'reversed')`,
})
export class Participation {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  campaignId!: string;

  @PrimaryColumn('text', { ...KEY })
  participationId!: string;

  /** Whose respondent it is: the name of a platform, or the environment of a test key. */
  @Column('text')
  platform!: string;

  /** A keyed hash of the platform's identifier of the respondent; `null` once it is erased. */
  @Column('bytea', { nullable: true })
  respondent!: Buffer | null;

  /** The question set when it began; `null` if the campaign had none. */
  @Column('integer', { nullable: true })
  questionSetVersion!: number | null;

  /** The rewards of the five cohorts when it began, as exact decimals. */
  @Column({ ...MONEY_COLUMN, array: true })
  rewards!: string[];

  /** The largest of the rewards, as an exact decimal. */
  @Column(MONEY_COLUMN)
  held!: string;

  /** As stored; an open participation whose time is over is expired. */
  @Column('text', { default: 'open' })
  state!: ParticipationStatus;

  @Column({ type: 'timestamptz', precision: 3 })
  begunAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** When it was submitted, abandoned or expired. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closedAt!: Date | null;

  /** From 0 to 10, an exact decimal with two places. */
  @Column({ type: 'numeric', precision: 4, scale: 2, nullable: true })
  attentionScore!: string | null;

  @Column('smallint', { nullable: true })
  cohort!: number | null;

  /** What was earned, as an exact decimal. */
  @Column({ ...MONEY_COLUMN, nullable: true })
  reward!: string | null;

  /** A keyed hash of what was submitted. */
  @Column('bytea', { nullable: true })
  submission!: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  reversedAt!: Date | null;

  @Column('text', { nullable: true })
  reversalReason!: string | null;
}
