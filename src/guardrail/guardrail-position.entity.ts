import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the guardrails of a company have read its log. A company without guardrails has none. */
@Entity()
export class GuardrailPosition {
  @PrimaryColumn('text')
  companyId!: string;

  /** The number of the last event that they have read. */
  @Column('bigint')
  seq!: string;

  /** Changes with every change of the company's guardrails. */
  @Column('uuid')
  revision!: string;
}
