import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a company's events are in its tally. */
@Entity()
export class TallyPosition {
  @PrimaryColumn('text')
  companyId!: string;

  /** The number of the last event that is in it. */
  @Column('bigint')
  foldedSeq!: string;
}
