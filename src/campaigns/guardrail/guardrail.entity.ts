import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GuardrailAction } from './guardrail.types';
import type { Condition } from './condition.rules';
import type { StoredId } from '../../platform/database/identifiers';

/** A rule that stops or reports a campaign, or every campaign of a company. */
@Entity()
export class Guardrail {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('text')
  guardrailId!: string;

  /** One of the company's places for guardrails, from 1. */
  @Column('smallint')
  slot!: number;

  /** The campaign; `null` for all of them. */
  @Column('text', { nullable: true })
  postId!: string | null;

  /** One of the campaign's places for guardrails, or of those for all campaigns, from 1. */
  @Column('smallint')
  campaignSlot!: number;

  @Column('text')
  name!: string;

  /** All of them must hold. */
  @Column('jsonb')
  conditions!: Condition[];

  @Column('text')
  action!: GuardrailAction;

  /** It watches from the event after this number on. */
  @Column('bigint')
  sinceSeq!: string;

  /** Where it fired after the event with this number, it stays fired. */
  @Column('bigint')
  armedSeq!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
