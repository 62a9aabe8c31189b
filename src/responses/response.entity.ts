import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Answer } from '../fielding/answer.rules';

/** What a respondent answered. It is apart from the participation, so that it can be erased. */
@Entity()
export class Response {
  @PrimaryColumn('text')
  companyId!: string;

  @PrimaryColumn('bigint')
  campaignId!: string;

  @PrimaryColumn('text')
  participationId!: string;

  @Column('jsonb')
  answers!: Answer[];
}
