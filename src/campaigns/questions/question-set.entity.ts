import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Question, Section, SetContent, Translations } from './question.types';
import type { StoredId } from '../../platform/database/identifiers';

/**
 * A question set as it was stored for a campaign (section 2.5). Sets are never changed: replacing
 * questions stores a new set and makes it the campaign's current one.
 */
@Entity()
export class QuestionSet implements SetContent {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  /** 1 for a campaign's first set, and one more for each replacement. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('text')
  questionId!: string;

  @Column('jsonb')
  questions!: Question[];

  @Column('smallint')
  totalQuestions!: number;

  /** A language tag (BCP 47) in its canonical form; `null` if the set does not say. */
  @Column('text', { nullable: true })
  language!: string | null;

  @Column('jsonb', { nullable: true })
  translations!: Translations | null;

  @Column('jsonb', { nullable: true })
  sections!: Section[] | null;

  @Column('timestamptz')
  createdAt!: Date;
}
