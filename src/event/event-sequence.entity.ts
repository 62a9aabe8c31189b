import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/** Which of a company's events are numbered. A company without a row has no numbered event. */
@Entity()
export class EventSequence {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  /** The number of the last event; the numbers are 1 to this one, without a gap. */
  @Column('bigint')
  lastSeq!: string;

  /** The number of the first event that is not in an archive. */
  @Column('bigint')
  firstSeq!: string;
}
