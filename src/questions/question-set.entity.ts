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
import type { Question } from './question.rules';

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'question_set_pkey' };

/**
 * A question set as it was stored for a campaign (section 2.5). Sets are never changed: replacing
 * questions stores a new set and makes it the campaign's current one.
 */
@Entity({ comment: 'distributed by company_id' })
@Check('question_set_questions', `jsonb_typeof(questions) = 'array'`)
@Check(
  'question_set_total',
  `total_questions BETWEEN 1 AND 100 AND total_questions = jsonb_array_length(questions)`,
)
@Check('question_set_size', `size = octet_length(questions::text)`)
@Unique('question_set_id_unique', ['companyId', 'questionId'])
@ForeignKey(() => Campaign, ['companyId', 'campaignId'], ['companyId', 'id'], {
  name: 'question_set_campaign_fkey',
})
export class QuestionSet {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  campaignId!: string;

  /** 1 for a campaign's first set, and one more for each replacement. */
  @PrimaryColumn('integer', { ...KEY })
  version!: number;

  @Column('text')
  questionId!: string;

  @Column('jsonb')
  questions!: Question[];

  @Column('smallint')
  totalQuestions!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Size of the questions as text, in bytes. */
  @Column('integer', { select: false })
  size!: number;
}
