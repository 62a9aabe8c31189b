import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Participation } from '../../fielding/participations/participation.entity';
import type { StoredId } from '../../platform/database/identifiers';

/** Texts of one question and kind that are returned, the newest. */
export const TEXTS_MAXIMUM = 50;

/** How many responses are looked at, whatever is left out of them. */
const LOOK_MAXIMUM = 1_000;

/** How many bytes of their answers are read; always those of one response. */
const READ_BYTES = 4 * 1024 * 1024;

/** How many bytes all texts together have at most. */
const TEXT_BYTES = 256 * 1024;

/** What a text is: the answer, an option of one's own, or a comment beside a choice. */
export type TextKind = 'value' | 'other' | 'comment';

export interface TypedText {
  /** The position of the question, from 1. */
  question: number;
  kind: TextKind;
  text: string;
}

export interface WantedTexts {
  campaignId: string;
  version: number;
  cohorts: readonly number[];
  /** The positions of the questions whose answers are texts. */
  open: readonly number[];
}

const NEWEST = '(ORDER BY p.closed_at DESC, p.participation_id DESC ROWS UNBOUNDED PRECEDING)';

/** The newest texts of a campaign ($2), first the newest of each question. */
const TEXTS = `
  SELECT f.question, f.kind, f.text FROM (
    SELECT t.*, sum(octet_length(t.text)) OVER (
      ORDER BY t.place, t.question, t.kind ROWS UNBOUNDED PRECEDING) AS bytes
    FROM (
      SELECT (a.answer ->> 'question')::integer AS question, k.kind, k.text, row_number() OVER (
        PARTITION BY a.answer ->> 'question', k.kind ORDER BY r.place) AS place
      FROM (
        SELECT p.answers, row_number() OVER w AS place, octet_length(p.answers) AS size,
          sum(octet_length(p.answers)) OVER w AS bytes
        FROM (
          SELECT * FROM participation AS n
          WHERE n.company_id = $1 AND n.campaign_id + 0 = $2::bigint
            AND n.state IN ('submitted', 'reversed')
          ORDER BY n.closed_at DESC, n.participation_id DESC LIMIT ${LOOK_MAXIMUM}
        ) AS p
        WHERE p.state = 'submitted' AND p.answers IS NOT NULL
          AND p.question_set_version = $3 AND p.cohort = ANY ($4::smallint[])
        WINDOW w AS ${NEWEST}
      ) AS r
      CROSS JOIN LATERAL json_array_elements(r.answers::json) AS a (answer)
      CROSS JOIN LATERAL (VALUES
        ('value', CASE WHEN (a.answer ->> 'question')::integer = ANY ($5::integer[])
          THEN a.answer ->> 'value' END),
        ('other', a.answer ->> 'other'),
        ('comment', a.answer ->> 'comment')
      ) AS k (kind, text)
      WHERE r.bytes - r.size < ${READ_BYTES} AND k.text IS NOT NULL
    ) AS t
    WHERE t.place <= ${TEXTS_MAXIMUM}
  ) AS f
  WHERE f.bytes <= ${TEXT_BYTES}
  ORDER BY f.place, f.question, f.kind`;

/** What respondents typed. */
@Injectable()
export class TypedTextsService {
  constructor(
    @InjectRepository(Participation) private readonly participations: Repository<Participation>,
  ) {}

  /**
   * Returns the newest texts that respondents typed, at most {@link TEXTS_MAXIMUM} of each question
   * and kind, newest first. They come from the answers themselves, so those of a response that is
   * reversed or erased are gone at once.
   */
  newest(
    companyId: StoredId,
    { campaignId, version, cohorts, open }: WantedTexts,
  ): Promise<TypedText[]> {
    const parameters = [companyId, campaignId, version, cohorts, open];
    return this.participations.query<TypedText[]>(TEXTS, parameters);
  }
}
