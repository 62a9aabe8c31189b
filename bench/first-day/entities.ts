import { Column, CreateDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('api_key')
export class ApiKey {
  @PrimaryColumn({ name: 'key_id' })
  keyId!: string;

  @Column({ name: 'company_id' })
  companyId!: string;

  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}

@Entity('campaign')
export class Campaign {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: string;

  @Column({ name: 'post_id' })
  postId!: string;

  @Column({ name: 'company_id' })
  companyId!: string;

  @Column()
  type!: string;

  @Column({ type: 'text', nullable: true })
  format!: string | null;

  @Column({ name: 'external_ref', type: 'text', nullable: true })
  externalRef!: string | null;

  @Column()
  title!: string;

  @Column()
  description!: string;

  @Column({ name: 'content_url', type: 'text', nullable: true })
  contentUrl!: string | null;

  @Column()
  category!: string;

  @Column()
  tagline!: string;

  @Column({ name: 'reward_amount', type: 'numeric' })
  rewardAmount!: string;

  @Column({ name: 'cohort_rewards', type: 'numeric', array: true })
  cohortRewards!: string[];

  @Column({ default: 'USD' })
  currency!: string;

  @Column({ name: 'is_live', default: false })
  isLive!: boolean;

  @Column({ name: 'starts_at', type: 'timestamptz', nullable: true })
  startsAt!: Date | null;

  @Column({ name: 'ends_at', type: 'timestamptz', nullable: true })
  endsAt!: Date | null;

  @Column({ name: 'max_responses', type: 'integer', nullable: true })
  maxResponses!: number | null;

  @Column({ type: 'numeric', nullable: true })
  budget!: string | null;

  @Column({ name: 'answer_minutes', type: 'smallint', nullable: true })
  answerMinutes!: number | null;

  /** Set by the database. */
  @Column({ name: 'stop_reason', type: 'text', nullable: true })
  stopReason!: string | null;

  /** Computed by the database. */
  @Column({ insert: false, update: false, default: 'draft' })
  status!: string;

  @Column({ name: 'video_url', type: 'text', nullable: true })
  videoUrl!: string | null;

  @Column({ name: 'thumbnail_url', type: 'text', nullable: true })
  thumbnailUrl!: string | null;

  @Column({ name: 'duration_seconds', type: 'integer', nullable: true })
  durationSeconds!: number | null;

  @Column({ name: 'has_feedback', type: 'boolean', nullable: true })
  hasFeedback!: boolean | null;

  @Column({ name: 'image_survey', type: 'jsonb', nullable: true })
  imageSurvey!: object | null;

  @Column({ name: 'question_set_version', type: 'integer', nullable: true })
  questionSetVersion!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Set by the database. */
  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ name: 'updated_by' })
  updatedBy!: string;
}

@Entity('campaign_progress')
export class CampaignProgress {
  @PrimaryColumn({ name: 'campaign_id', type: 'bigint' })
  campaignId!: string;

  @Column()
  taken!: number;

  @Column()
  answered!: number;

  @Column()
  reversed!: number;

  @Column()
  abandoned!: number;

  @Column()
  expired!: number;

  @Column({ type: 'numeric' })
  spent!: string;

  @Column({ type: 'numeric' })
  held!: string;
}

@Entity('question_set')
export class QuestionSet {
  @PrimaryColumn({ name: 'question_id' })
  questionId!: string;

  @Column({ name: 'company_id' })
  companyId!: string;

  @Column({ name: 'campaign_id', type: 'bigint' })
  campaignId!: string;

  @Column()
  version!: number;

  @Column({ type: 'jsonb' })
  questions!: object[];

  @Column({ name: 'total_questions', type: 'smallint' })
  totalQuestions!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
