import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/** How long the responses to a question set took: see the function `refresh_answer_times`. */
@Entity()
export class AnswerTimes {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  /** The version of the question set; 0 without questions. */
  @PrimaryColumn('integer')
  version!: number;

  /** How many responses the percentiles are of. */
  @Column('bigint')
  responses!: string;

  /** The 1st to the 100th percentile, as buckets of a logarithmic histogram. */
  @Column('integer', { array: true })
  percentiles!: number[];
}
