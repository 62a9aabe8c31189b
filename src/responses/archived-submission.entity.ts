import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/** The number of a submission whose event is in an archive. */
@Entity()
export class ArchivedSubmission {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  /** The number of the event. */
  @PrimaryColumn('bigint')
  seq!: string;

  @Column('uuid')
  participationId!: StoredId;

  @Column('smallint')
  cohort!: number;
}
