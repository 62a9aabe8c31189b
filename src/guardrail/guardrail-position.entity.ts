import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/** How far the guardrails of a company have read its log. A company without guardrails has none. */
@Entity()
export class GuardrailPosition {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  /** The number of the last event that they have read. */
  @Column('bigint')
  seq!: string;

  /** Changes with every change of the company's guardrails. */
  @Column('uuid')
  revision!: string;
}
