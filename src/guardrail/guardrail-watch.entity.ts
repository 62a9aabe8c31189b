import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FiredValue } from './evaluate.rules';
import type { WatchState } from './watch-state.rules';
import type { StoredId } from '../database/identifiers';

/** What a guardrail remembers of one campaign, and where it last fired there. */
@Entity()
export class GuardrailWatch {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('text')
  guardrailId!: string;

  @PrimaryColumn('text')
  postId!: string;

  /** The event after which the state begins. An earlier one than the guardrail's is outdated. */
  @Column('bigint')
  sinceSeq!: string;

  /** `null` before the first response, and once it has fired. */
  @Column('jsonb', { nullable: true })
  state!: WatchState | null;

  /** The event at which it fired last; the guardrail is armed again if it began to watch later. */
  @Column('bigint', { nullable: true })
  firedSeq!: string | null;

  @Column('timestamptz', { nullable: true })
  firedAt!: Date | null;

  @Column('jsonb', { nullable: true })
  firedValues!: FiredValue[] | null;

  /** Whether that has stopped the campaign. */
  @Column('boolean', { nullable: true })
  firedStopped!: boolean | null;
}
