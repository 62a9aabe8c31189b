import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  PrimaryColumn,
  Unique,
} from 'typeorm';
import { Campaign } from '../campaign/campaign.entity';
import type { Question } from './question';

/**
 * A set of questions as it was once stored for a campaign (section 2.5). Sets are never changed:
 * replacing questions stores a new set and makes it the campaign's current one.
 */
@Entity()
@Check('question_set_questions', `jsonb_typeof(questions) = 'array'`)
@Check(
  'question_set_total',
  `total_questions BETWEEN 1 AND 100 AND total_questions = jsonb_array_length(questions)`,
)
@Unique('question_set_version_unique', ['campaignId', 'version'])
export class QuestionSet {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'question_set_pkey' })
  questionId!: string;

  @Column('bigint')
  @ForeignKey(() => Campaign, { name: 'question_set_campaign_fkey' })
  campaignId!: string;

  /** 1 for a campaign's first set, one more for each that replaced it. */
  @Column('integer')
  version!: number;

  @Column('jsonb')
  questions!: Question[];

  @Column('smallint')
  totalQuestions!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;
}

/** A question set without its questions. */
export type QuestionSetSummary = Pick<QuestionSet, 'questionId' | 'totalQuestions' | 'createdAt'>;
