import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a company's events are numbered. A company without a row has no numbered event. */
@Entity({ comment: 'distributed by company_id' })
export class EventSequence {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'event_sequence_pkey' })
  companyId!: string;

  /** The number of the last event; the numbers are 1 to this one, without a gap. */
  @Column('bigint')
  lastSeq!: string;
}
