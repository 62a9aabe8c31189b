import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { Campaign } from '../campaign/campaign.entity';
import { columnList, toEntity } from '../database/rows';
import { TransactionContext } from '../database/transaction-context';
import type { Question } from '../questions/question.rules';
import type { Fielded } from './campaign-owners.service';
import { participationNotFound } from './fielding.errors';
import { Participation } from './participation.entity';
import type { ParticipationStatus } from './participation.types';

/** A participation and where it is in its life now. */
export interface CurrentParticipation {
  /** The campaign. */
  postId: string;
  participation: Participation;
  status: ParticipationStatus;
}

/** A participation with the question set that it began with. */
export interface ReadParticipation extends CurrentParticipation {
  /** `null` if the campaign had no questions. */
  questionId: string | null;
}

/**
 * A participation with its campaign as it is now, and the questions as they were at its beginning.
 */
export interface PinnedParticipation extends ReadParticipation {
  campaign: Campaign;
  questions: Question[] | null;
}

/** The steps after the beginning, each with the values that its function takes. */
interface Steps {
  submit: [attentionScore: number, cohort: number, hash: Buffer, answers: string, actor: string];
  abandon: [];
  reverse: [reason: string, actor: string];
}

const CAMPAIGN_COLUMNS = `c.type, c.format, c.title, c.description, c.content_url,
  c.category, c.tagline, c.video_url, c.thumbnail_url, c.duration_seconds, c.has_feedback,
  c.image_survey`;

/** A row with the columns of a participation. */
export type ParticipationRow = Record<string, unknown> & {
  /** Whether its time is over. */
  over: boolean;
};

type PinnedRow = ParticipationRow & { question_id: string | null; questions: Question[] | null };

/** Reads participations, and takes their steps. Every statement names the company. */
@Injectable()
export class ParticipationsService {
  constructor(private readonly transaction: TransactionContext) {}

  private get participations(): Repository<Participation> {
    return this.transaction.manager.getRepository(Participation);
  }

  /**
   * Returns a participation of a platform's respondent.
   *
   * @throws ApiError `participation_not_found`
   */
  async find(fielded: Fielded, participationId: string): Promise<CurrentParticipation> {
    const { companyId, campaignId, platform } = fielded;
    const [row] = await this.participations.query<ParticipationRow[]>(
      `SELECT ${columnList(this.participations)}, expires_at <= clock_timestamp() AS over
       FROM participation
       WHERE company_id = $1 AND campaign_id = $2 AND participation_id = $3 AND platform = $4`,
      [companyId, campaignId, participationId, platform],
    );
    if (row === undefined) {
      throw participationNotFound();
    }
    return currentOf(this.participations, fielded.postId, row);
  }

  /**
   * Returns a participation of a platform's respondent, with what was shown.
   *
   * @throws ApiError `participation_not_found`
   */
  async findPinned(fielded: Fielded, participationId: string): Promise<PinnedParticipation> {
    const { companyId, campaignId, platform } = fielded;
    const [row] = await this.participations.query<PinnedRow[]>(
      `SELECT ${columnList(this.participations)}, ${CAMPAIGN_COLUMNS}, q.question_id, q.questions,
         expires_at <= clock_timestamp() AS over
       FROM participation
       JOIN campaign AS c ON c.company_id = $1 AND c.id = $2
       LEFT JOIN question_set AS q ON q.company_id = $1 AND q.campaign_id = $2
         AND q.version = participation.question_set_version
       WHERE participation.company_id = $1 AND participation.campaign_id = $2
         AND participation_id = $3 AND platform = $4`,
      [companyId, campaignId, participationId, platform],
    );
    if (row === undefined) {
      throw participationNotFound();
    }
    return {
      ...currentOf(this.participations, fielded.postId, row),
      campaign: toEntity(this.transaction.manager.getRepository(Campaign), row),
      questionId: row.question_id,
      questions: row.questions,
    };
  }

  /**
   * Takes a step, and returns the participation as it then is. Nothing changes if it is not where
   * the step begins any more.
   */
  async take<Step extends keyof Steps>(
    step: Step,
    fielded: Fielded,
    participationId: string,
    ...values: Steps[Step]
  ): Promise<CurrentParticipation> {
    const { companyId, campaignId } = fielded;
    const parameters = [companyId, campaignId, participationId, ...values];
    const [row] = await this.participations.query<[ParticipationRow]>(
      `SELECT ${columnList(this.participations)}, expires_at <= clock_timestamp() AS over
       FROM ${step}_participation(${parameters.map((_, index) => `$${index + 1}`).join(', ')})
         AS participation`,
      parameters,
    );
    return currentOf(this.participations, fielded.postId, row);
  }
}

/** Returns the participation in a row, and where it is in its life. */
export function currentOf(
  participations: Repository<Participation>,
  postId: string,
  row: ParticipationRow,
): CurrentParticipation {
  const participation = toEntity(participations, row);
  const { state } = participation;
  return { postId, participation, status: state === 'open' && row.over ? 'expired' : state };
}
