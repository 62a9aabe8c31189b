import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';

/** What a link leads to: the results of a campaign, or the preview of its questions. */
export type LinkKind = 'results' | 'preview';

/** What a results page can show besides the results, if its link allows it. */
export const SHOWN_PARTS = ['crosstabs', 'texts', 'downloads'] as const;

export type ShownPart = (typeof SHOWN_PARTS)[number];

/** A link to a page of a campaign. The token in its URL is never stored. */
@Entity()
export class ResultsLink {
  @PrimaryColumn('uuid')
  companyId!: StoredId;

  @PrimaryColumn('text')
  postId!: string;

  @PrimaryColumn('text')
  kind!: LinkKind;

  /** One of the campaign's places for links of this kind; a new one takes that of an ended one. */
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

  /** What the page shows besides the results; nothing for a preview. */
  @Column('text', { array: true })
  show!: ShownPart[];

  /** The `post_id` of the campaign that the page compares with; `null` without one. */
  @Column('text', { nullable: true })
  compare!: string | null;

  /** The language of a preview (BCP 47); `null` for that of the questions. */
  @Column('text', { nullable: true })
  language!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
