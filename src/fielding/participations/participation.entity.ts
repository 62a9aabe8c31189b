import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CohortRewards } from '../../campaigns/campaign/cohort-ladder.rules';
import { MONEY_COLUMN } from '../../campaigns/campaign/money.columns';
import type { StoredId } from '../../platform/database/identifiers';
import type { StoredQuality } from '../quality/quality.types';
import type { ParticipationStatus } from './participation.types';

/**
 * A respondent's part in a campaign: the place, what was promised for it, and what came of it. The
 * functions in `sql/` write it, with its transfers and the campaign's counters. The answers, which
 * may be large, are no column of the entity: the statements that need them name them.
 */
@Entity()
export class Participation implements StoredQuality {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  @PrimaryColumn('uuid')
  participationId!: StoredId;

  /** Whose respondent it is: the name of a platform, or the environment of a test key. */
  @Column('text')
  platform!: string;

  /** A keyed hash of the platform's identifier of the respondent; `null` once it is erased. */
  @Column('bytea', { nullable: true })
  respondent!: Buffer | null;

  /** The question set when it began; `null` if the campaign had none. */
  @Column('integer', { nullable: true })
  questionSetVersion!: number | null;

  /** The rewards of the cohorts when it began. */
  @Column({ ...MONEY_COLUMN, array: true })
  rewards!: CohortRewards;

  /** The largest of the rewards, or what was paid to who is screened out, as an exact decimal. */
  @Column(MONEY_COLUMN)
  held!: string;

  /** As stored; an open participation whose time is over is expired. */
  @Column('text')
  state!: ParticipationStatus;

  @Column('timestamptz')
  begunAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  /** When it was submitted, abandoned, expired or screened out. */
  @Column('timestamptz', { nullable: true })
  closedAt!: Date | null;

  /** From 0 to 10, an exact decimal with two places. */
  @Column({ type: 'numeric', precision: 4, scale: 2, nullable: true })
  attentionScore!: string | null;

  @Column('smallint', { nullable: true })
  cohort!: number | null;

  /** What was earned, as an exact decimal. */
  @Column({ ...MONEY_COLUMN, nullable: true })
  reward!: string | null;

  /** What was paid besides the reward, as an exact decimal; `null` for nothing. */
  @Column({ ...MONEY_COLUMN, nullable: true })
  bonus!: string | null;

  /** A keyed hash of what was submitted. */
  @Column('bytea', { nullable: true })
  submission!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  reversedAt!: Date | null;

  @Column('text', { nullable: true })
  reversalReason!: string | null;

  /** The cells of quotas that it counts in; `null` for none, and once it counts no more. */
  @Column('smallint', { array: true, nullable: true })
  cells!: number[] | null;

  /** Quality signals, as {@link StoredQuality} describes them. */
  @Column('smallint', { nullable: true })
  answerPercentile!: number | null;

  @Column('smallint', { nullable: true })
  longestRun!: number | null;

  @Column('smallint', { nullable: true })
  comparedAnswers!: number | null;

  @Column('real', { nullable: true })
  consistency!: number | null;

  @Column('smallint', { nullable: true })
  textRepeats!: number | null;

  @Column('smallint', { nullable: true })
  qualityFlags!: number | null;
}
