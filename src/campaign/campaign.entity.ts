import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
  VirtualColumn,
} from 'typeorm';
import { CohortRewards, MONEY_COLUMN } from './cohort-rewards.columns';
import type { Block, CampaignType, Exhaustion, StopReason, SurveyFormat } from './campaign.types';
import type { ImageSurvey } from './image-survey.rules';

/** A campaign's current question set, without its questions. */
export interface QuestionSetSummary {
  questionId: string;
  totalQuestions: number;
  createdAt: Date;
}

/**
 * A campaign (section 2.2) with its cohort rewards (section 2.3). The checks below are the
 * specification's rules about stored values; the code does not check them before a write.
 */
@Entity({ comment: 'distributed by company_id' })
@Check('campaign_environment', `company_id LIKE 'co\\_%' OR company_id LIKE 'test\\_%'`)
@Check('campaign_type_known', `type IN ('survey', 'advertisement')`)
@Check('campaign_title_length', `char_length(title) BETWEEN 1 AND 200`)
@Check('campaign_description_length', `char_length(description) BETWEEN 1 AND 5000`)
@Check('campaign_category_length', `char_length(category) BETWEEN 1 AND 100`)
@Check('campaign_tagline_length', `char_length(tagline) BETWEEN 1 AND 200`)
@Check('campaign_content_url_length', `char_length(content_url) BETWEEN 1 AND 2048`)
@Check('campaign_reward_amount_range', `reward_amount > 0 AND reward_amount <= 1000000000`)
@Check('campaign_cohort_1_at_least_3', `cohort_1_reward >= 3`)
@Check('campaign_cohort_5_equals_reward', `cohort_5_reward = reward_amount`)
@Check(
  'campaign_cohort_rewards_range',
  `cohort_1_reward <= 1000000000
    AND cohort_2_reward BETWEEN 0 AND 1000000000
    AND cohort_3_reward BETWEEN 0 AND 1000000000
    AND cohort_4_reward BETWEEN 0 AND 1000000000`,
)
@Check(
  'campaign_advertisement_fields',
  `CASE WHEN type = 'advertisement'
    THEN video_url IS NOT NULL AND has_feedback IS NOT NULL
    ELSE video_url IS NULL AND has_feedback IS NULL
      AND thumbnail_url IS NULL AND duration_seconds IS NULL
  END`,
)
@Check('campaign_duration_positive', `duration_seconds > 0`)
@Check(
  'campaign_format_known',
  `CASE WHEN type = 'survey'
    THEN format IS NOT NULL
      AND format IN ('questionnaire', 'round_robin', 'binary', 'image_slider')
    ELSE format IS NULL
  END`,
)
@Check(
  'campaign_image_survey',
  `CASE format
    WHEN 'round_robin'
      THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) BETWEEN 3 AND 20
    WHEN 'binary'
      THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) = 2
    WHEN 'image_slider'
      THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) BETWEEN 1 AND 20
        AND image_survey ? 'scale'
    ELSE image_survey IS NULL
  END`,
)
@Check('campaign_image_survey_fixed', `image_survey IS NULL OR question_set_version IS NULL`)
@Check('campaign_external_ref_length', `char_length(external_ref) BETWEEN 1 AND 200`)
@Check('campaign_ends_after_start', `ends_at > starts_at`)
@Check(
  'campaign_limits_range',
  `max_responses BETWEEN 1 AND 10000000 AND budget > 0 AND budget <= 1000000000
    AND answer_minutes BETWEEN 1 AND 1440`,
)
@Check('campaign_live_unless_over', `NOT is_live OR (NOT archived AND exhausted_by IS NULL)`)
@Unique('campaign_post_id_unique', ['postId', 'companyId'])
@Index('campaign_external_ref_unique', { synchronize: false })
@Index('campaign_list', { synchronize: false })
@Index('campaign_list_by_category', { synchronize: false })
@Index('campaign_fielding', { synchronize: false })
@Index('campaign_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@ForeignKey(
  'QuestionSet',
  ['companyId', 'id', 'questionSetVersion'],
  ['companyId', 'campaignId', 'version'],
  { name: 'campaign_question_set_fkey', deferrable: 'INITIALLY DEFERRED' },
)
export class Campaign {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'campaign_pkey' })
  companyId!: string;

  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'campaign_pkey',
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

  /** Exact decimal, such as `"100.00"`. */
  @Column(MONEY_COLUMN)
  rewardAmount!: string;

  @Column(() => CohortRewards, { prefix: false })
  cohortRewards!: CohortRewards;

  /** As stored; {@link standingOf} says whether the campaign is live when it is read. */
  @Column('boolean', { default: false })
  isLive!: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startsAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt!: Date | null;

  @Column('integer', { nullable: true })
  maxResponses!: number | null;

  /** Everything that may ever be paid: an exact decimal, such as `"5000.00"`. */
  @Column({ ...MONEY_COLUMN, nullable: true })
  budget!: string | null;

  /** Minutes that a respondent has; `null` for the default. */
  @Column('smallint', { nullable: true })
  answerMinutes!: number | null;

  /** When the clock next changes the state. The database sets it, except at the creation. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt!: Date | null;

  /** What ran out. The database compares it with the counters. */
  @Column('text', { nullable: true })
  exhaustedBy!: Exhaustion | null;

  /** Why the campaign was stopped last. Set by the database. */
  @Column('text', { nullable: true })
  stopReason!: StopReason | null;

  @Column('boolean', { default: false })
  archived!: boolean;

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

  /** Why nobody can begin it although it is live, if the query looked. */
  blockedBy?: Block | null;

  /** The current question set, if the query joined it. */
  currentQuestionSet?: QuestionSetSummary | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** When the statement that returned this row began, by the database's clock. */
  @VirtualColumn({ type: 'timestamptz', query: () => 'statement_timestamp()' })
  readAt!: Date;

  /** When the campaign last changed. Set by the database. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** Number of the current version, for the ETag. Set by the database. */
  @Column('integer', { default: 1 })
  version!: number;

  /** Who changed the campaign last: a key_id or, for the account's own token, a company_id. */
  @Column('text')
  updatedBy!: string;
}
