import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { CohortRewards, MONEY_COLUMN } from '../cohort-rewards/cohort-rewards.entity';
import { Company } from '../company/company.entity';
import { QuestionSet, QuestionSetSummary } from '../questions/question-set.entity';
import type { CampaignType, SurveyFormat } from './campaign-type';
import type { ImageSurvey } from './image-survey';

/**
 * A campaign (section 2.2) with its cohort rewards (section 2.3). The checks below are the
 * specification's rules about stored values; code that writes does not check them first.
 */
@Entity()
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
@Index('campaign_post_id_unique', ['postId'], { unique: true })
@Index('campaign_external_ref_unique', { synchronize: false })
@Index('campaign_list', { synchronize: false })
@Index('campaign_list_by_category', { synchronize: false })
@ForeignKey(() => QuestionSet, ['id', 'questionSetVersion'] as const, ['campaignId', 'version'], {
  name: 'campaign_question_set_fkey',
})
export class Campaign {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'campaign_pkey',
  })
  id!: string;

  @Column('text')
  postId!: string;

  @Column('text')
  @ForeignKey(() => Company, { name: 'campaign_company_fkey' })
  companyId!: string;

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

  @Column('boolean', { default: false })
  isLive!: boolean;

  /** Advertisements only. */
  @Column('text', { nullable: true })
  videoUrl!: string | null;

  /** Advertisements only. */
  @Column('text', { nullable: true })
  thumbnailUrl!: string | null;

  /** Advertisements only. */
  @Column('integer', { nullable: true })
  durationSeconds!: number | null;

  /** Advertisements only: whether feedback questions may be set (section 4.3). */
  @Column('boolean', { nullable: true })
  hasFeedback!: boolean | null;

  /** Image surveys only: what is asked about which images. Fixed at creation. */
  @Column('jsonb', { nullable: true })
  imageSurvey!: ImageSurvey | null;

  /** Version of the one current question set; earlier ones stay stored. */
  @Column('integer', { nullable: true })
  questionSetVersion!: number | null;

  /** That set without its questions, where a query joined it. */
  currentQuestionSet?: QuestionSetSummary | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** When the campaign last changed; kept by the database. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** Counts the changes, for the ETag; kept by the database. */
  @Column('integer', { default: 1 })
  version!: number;

  /** Who changed the campaign last: an API key or, with the account's own token, the company. */
  @Column('text')
  updatedBy!: string;
}
