import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';
import type { CampaignProgressDto } from './campaign-progress.dto';
import type {
  BlockReason,
  CampaignStatus,
  CampaignType,
  Exhaustion,
  StopReason,
  SurveyFormat,
} from './campaign.types';
import type { CohortRewards } from './cohort-ladder.rules';
import type { ImageSurvey } from './image-survey.rules';
import { MONEY_COLUMN } from './money.columns';
import type { StoredId } from '../../platform/database/identifiers';

/** Known shares of the answers to a question, or of quotas by their names. */
export interface Margin {
  question?: string;
  shares: Record<string, number>;
}

/** A campaign's current question set, without its questions. */
export interface QuestionSetSummary {
  questionId: string;
  totalQuestions: number;
  createdAt: Date;
}

/**
 * A campaign (section 2.2) with its cohort rewards (section 2.3). The database
 * holds the specification's rules about stored values; the code does not check them before a write.
 */
@Entity()
export class Campaign {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
  })
  id!: string;

  @Column('text')
  postId!: string;

  @Column('text')
  type!: CampaignType;

  /** How a survey asks; `null` for advertisements. */
  @Column('text', { nullable: true })
  format!: SurveyFormat | null;

  /** The client's own name for the campaign, unique within the company. */
  @Column('text', { nullable: true })
  externalRef!: string | null;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @Column('text', { nullable: true })
  contentUrl!: string | null;

  @Column('text')
  category!: string;

  @Column('text')
  tagline!: string;

  /** The company's currency (ISO 4217): that of every amount of the campaign. It never changes. */
  @Column('text')
  currency!: string;

  /** Exact decimal, such as `"100.00"`. */
  @Column(MONEY_COLUMN)
  rewardAmount!: string;

  @Column({ ...MONEY_COLUMN, array: true })
  cohortRewards!: CohortRewards;

  /** The largest of the cohort rewards. Set by the database. */
  @Column(MONEY_COLUMN)
  largestReward!: string;

  /** As stored; `currentStateOf` says whether the campaign is live when it is read. */
  @Column('boolean')
  isLive!: boolean;

  @Column('timestamptz', { nullable: true })
  startsAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('integer', { nullable: true })
  maxResponses!: number | null;

  /** Everything that may ever be paid: an exact decimal, such as `"5000.00"`. */
  @Column({ ...MONEY_COLUMN, nullable: true })
  budget!: string | null;

  /** Whether it pays with an allotment of the company's balance. Set by the database. */
  @Column('boolean')
  isPrepaid!: boolean;

  /** Minutes that a respondent has; `null` for the default. */
  @Column('smallint', { nullable: true })
  answerMinutes!: number | null;

  /** Days in which a response can be disputed; `null` for none. */
  @Column('smallint', { nullable: true })
  reviewDays!: number | null;

  /** The share of the responses that can be disputed, an exact decimal; `null` for none. */
  @Column({ type: 'numeric', precision: 4, scale: 3, nullable: true })
  maximumDisputeShare!: string | null;

  /** Keys of questions by whose answers the tally is also kept. */
  @Column('jsonb', { nullable: true })
  banners!: string[] | null;

  /** Known shares of answers and quotas. */
  @Column('jsonb', { nullable: true })
  margins!: Margin[] | null;

  /** When the clock next changes the state. Set by the database. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** What ran out; `null` for nothing. The database compares it with the counters. */
  @Column('text', { array: true, nullable: true })
  exhaustedBy!: Exhaustion[] | null;

  /** Why the campaign was stopped last. Set by the database. */
  @Column('text', { nullable: true })
  stopReason!: StopReason | null;

  @Column('boolean')
  archived!: boolean;

  /** As stored; `currentStateOf` says what it is when the campaign is read. Set by the database. */
  @Column('text')
  status!: CampaignStatus;

  /** Advertisements only. */
  @Column('text', { nullable: true })
  videoUrl!: string | null;

  /** Advertisements only. */
  @Column('text', { nullable: true })
  thumbnailUrl!: string | null;

  /** Advertisements only. */
  @Column('integer', { nullable: true })
  durationSeconds!: number | null;

  /** Advertisements only: whether the advertisement can have feedback questions (section 4.3). */
  @Column('boolean', { nullable: true })
  hasFeedback!: boolean | null;

  /** Image surveys only: the question and the images. Fixed at creation. */
  @Column('jsonb', { nullable: true })
  imageSurvey!: ImageSurvey | null;

  /** Version of the current question set; earlier sets stay stored. */
  @Column('integer', { nullable: true })
  questionSetVersion!: number | null;

  /** Version of the current rules of whom it asks; `null` if it never had any. */
  @Column('integer', { nullable: true })
  targetingVersion!: number | null;

  /** Why nobody can begin it although it is live, if the query looked. */
  blockedBy?: BlockReason | null;

  /** Its counters, if the query looked; `null` if nothing was ever counted. */
  progress?: CampaignProgressDto | null;

  /** The current question set, if the query joined it. */
  currentQuestionSet?: QuestionSetSummary | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** When the statement that returned this row began, by the database's clock. */
  @VirtualColumn({ type: 'timestamptz', query: () => 'statement_timestamp()' })
  readAt!: Date;

  /** When the campaign last changed. Set by the database. */
  @Column('timestamptz')
  updatedAt!: Date;

  /** Number of the current version, for the ETag. Set by the database. */
  @Column('integer')
  version!: number;

  /** Who changed the campaign last: a key_id or, for the account's own token, a company_id. */
  @Column('text')
  updatedBy!: string;
}

/** Which campaign it is, where it is in its life, and what that depends on. */
export const STATE = [
  'companyId',
  'id',
  'postId',
  'type',
  'format',
  'title',
  'hasFeedback',
  'status',
  'exhaustedBy',
  'isLive',
  'stopReason',
  'startsAt',
  'endsAt',
  'dueAt',
  'maxResponses',
  'budget',
  'isPrepaid',
  'updatedAt',
  'version',
] as const satisfies readonly (keyof Campaign)[];

/** The {@link STATE} of a campaign as a write has stored it. */
export type StoredState = Pick<Campaign, (typeof STATE)[number]>;

/** The {@link STATE} of a campaign and when it was read, so that responses can show it. */
export type CampaignState = StoredState & Pick<Campaign, 'readAt' | 'blockedBy'>;
