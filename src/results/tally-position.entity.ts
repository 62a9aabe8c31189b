import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/** How far a company's events are in its tally. */
@Entity()
export class TallyPosition {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  /** The number of the last event that is in it. */
  @Column('bigint')
  foldedSeq!: string;
}
