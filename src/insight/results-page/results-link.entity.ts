import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';

/** A link to the results page of a campaign. The token in its URL is never stored. */
@Entity()
export class ResultsLink {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('text')
  postId!: string;

  /** One of the campaign's places for links; a new link takes the place of one that has ended. */
  @PrimaryColumn('smallint')
  slot!: number;

  /** Increases in the order of creation and depends on no clock. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  linkId!: string;

  /** The cohorts whose responses the page counts; `null` for all. */
  @Column('smallint', { array: true, nullable: true })
  cohorts!: number[] | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
