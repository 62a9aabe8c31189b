import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Participation } from '../fielding/participation.entity';
import type { Answer } from './answer.rules';

// TypeORM writes the type into the options, so every column needs its own copy.
const KEY = { primaryKeyConstraintName: 'response_pkey' };

/** What a respondent answered. It is apart from the participation, so that it can be erased. */
@Entity({ comment: 'distributed by company_id' })
@Check('response_size', 'size = octet_length(answers::text)')
@Check('response_answers', `jsonb_typeof(answers) = 'array'`)
@ForeignKey(
  () => Participation,
  ['companyId', 'campaignId', 'participationId'],
  ['companyId', 'campaignId', 'participationId'],
  { name: 'response_participation_fkey' },
)
export class Response {
  @PrimaryColumn('text', { ...KEY })
  companyId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  campaignId!: string;

  @PrimaryColumn('text', { ...KEY })
  participationId!: string;

  @Column('jsonb')
  answers!: Answer[];

  /** Size of the answers as text, in bytes. */
  @Column('integer', { select: false })
  size!: number;
}
