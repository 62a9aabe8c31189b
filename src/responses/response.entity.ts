import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import type { Answer } from '../fielding/answer.rules';

/** What a respondent answered. It is apart from the participation, so that it can be erased. */
@Entity()
export class Response {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  @PrimaryColumn('uuid')
  participationId!: StoredId;

  @Column('jsonb')
  answers!: Answer[];

  /** 64 bits of a keyed hash of the longest open text; `null` without one that is compared. */
  @Column('bigint', { nullable: true })
  textHash!: string | null;
}
