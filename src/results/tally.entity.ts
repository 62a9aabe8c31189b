import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../database/identifiers';

/** A sum over the responses of a campaign, by cohort: see the function `add_to_tally`. */
@Entity()
export class Tally {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('bigint')
  campaignId!: string;

  /** The version of the question set; 0 without questions, and for what is about the campaign. */
  @PrimaryColumn('integer')
  version!: number;

  @PrimaryColumn('text')
  kind!: string;

  @PrimaryColumn('text')
  item!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('numeric', { name: 'cohort_1' })
  cohort1!: string;

  @Column('numeric', { name: 'cohort_2' })
  cohort2!: string;

  @Column('numeric', { name: 'cohort_3' })
  cohort3!: string;

  @Column('numeric', { name: 'cohort_4' })
  cohort4!: string;

  @Column('numeric', { name: 'cohort_5' })
  cohort5!: string;
}
