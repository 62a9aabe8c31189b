import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { StoredId } from '../../platform/database/identifiers';
import { columnsOfRow, statementWith, toEntity } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { present, PresentedSet } from '../../campaigns/questions/presented.rules';
import type {
  Presentation,
  Question,
  QuestionType,
} from '../../campaigns/questions/question.types';
import type { Fielded } from './campaign-owners.service';
import { participationNotFound } from './fielding.errors';
import { FieldingKeys } from './fielding-keys.service';
import type { Outcome } from './fielding.registry';
import { Participation } from './participation.entity';
import type { ParticipationStatus } from './participation.types';

/** A participation and where it is in its life now. */
export interface CurrentParticipation {
  /** The campaign. */
  postId: string;
  /** The currency of the rewards (ISO 4217). */
  currency: string;
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

/** A participation, with its questions as the respondent sees them. */
export interface ShownParticipation extends PinnedParticipation {
  presented: PresentedSet;
}

/** A participation after a call of a step. */
export interface TakenStep extends CurrentParticipation {
  /** What this very call made of it; `null` if another one was faster, or it was over. */
  became: Outcome | null;
}

/** The steps after the beginning, each with the values that its function takes. */
interface Steps {
  submit: [
    attentionScore: number,
    cohort: number,
    hash: Buffer,
    answers: string,
    actor: string,
    longestRun: number | null,
    comparedAnswers: number | null,
    consistency: number | null,
    textHash: string | null,
    qualityFlags: number,
  ];
  abandon: [];
  reverse: [reason: string, actor: string];
}

const CAMPAIGN_COLUMNS = `c.type, c.format, c.title, c.description, c.content_url,
  c.category, c.tagline, c.video_url, c.thumbnail_url, c.duration_seconds, c.has_feedback,
  c.image_survey, c.review_days, c.maximum_dispute_share`;

const read = (columns: string) => `
  SELECT ${columns}, expires_at <= clock_timestamp() AS over
  FROM participation
  WHERE company_id = $1 AND campaign_id = $2 AND participation_id = $3 AND platform = $4`;

const pinnedWith = (set: string) => (columns: string) => `
  SELECT ${columns}, ${CAMPAIGN_COLUMNS}, q.question_id, q.questions, ${set}
    expires_at <= clock_timestamp() AS over
  FROM participation
  JOIN campaign AS c ON c.company_id = $1 AND c.id = $2
  LEFT JOIN question_set AS q ON q.company_id = $1 AND q.campaign_id = $2
    AND q.version = participation.question_set_version
  WHERE participation.company_id = $1 AND participation.campaign_id = $2
    AND participation_id = $3 AND platform = $4`;

const readPinned = pinnedWith('');

/** Translations can be larger than the questions, and only who shows these needs them. */
const readShown = pinnedWith('q.language, q.translations, q.sections,');

/** A row with the columns of a participation. */
export type ParticipationRow = Record<string, unknown> & {
  /** Whether its time is over. */
  over: boolean;
};

type PinnedRow = ParticipationRow & { question_id: string | null; questions: Question[] | null };

/** Reads participations, and takes their steps. Every statement names the company. */
@Injectable()
export class ParticipationsService {
  /** The statements that take the steps. */
  private readonly statements = new Map<keyof Steps, string>();

  constructor(
    private readonly transaction: TransactionContext,
    private readonly keys: FieldingKeys,
  ) {}

  private get participations(): Repository<Participation> {
    return this.transaction.manager.getRepository(Participation);
  }

  /**
   * Returns a participation of a platform's respondent. `null` is the identifier of none.
   *
   * @throws ApiError `participation_not_found`
   */
  async find(fielded: Fielded, participationId: StoredId | null): Promise<CurrentParticipation> {
    const row = await this.readOne(fielded, participationId, read);
    return currentOf(this.participations, fielded, row);
  }

  /**
   * Returns a participation of a platform's respondent, with what was shown.
   *
   * @throws ApiError `participation_not_found`
   */
  async findPinned(
    fielded: Fielded,
    participationId: StoredId | null,
  ): Promise<PinnedParticipation> {
    return this.pinnedOf(fielded, await this.readOne(fielded, participationId, readPinned));
  }

  /**
   * Returns a participation of a platform's respondent, with what to show.
   *
   * @param language the one that the respondent reads, in its canonical form
   * @throws ApiError `participation_not_found`
   */
  async findShown(
    fielded: Fielded,
    participationId: StoredId | null,
    language: string | undefined,
  ): Promise<ShownParticipation> {
    const row = await this.readOne<PinnedRow & Presentation>(fielded, participationId, readShown);
    const { language: own, translations, sections } = row;
    const set = { questions: row.questions ?? [], language: own, translations, sections };
    const pinned = this.pinnedOf(fielded, row);
    const { participationId: id } = pinned.participation;
    const presented = present(set, language, (name) => this.keys.orderSeed(id, name));
    return Object.assign(pinned, { presented });
  }

  /** The types of the questions of a participation, each once. */
  async typesOf({ companyId, campaignId }: Fielded, id: StoredId): Promise<QuestionType[]> {
    const [row] = await this.participations.query<{ types: QuestionType[] }[]>(
      `SELECT q.types FROM participation AS p
       JOIN question_set AS q ON q.company_id = $1 AND q.campaign_id = $2
         AND q.version = p.question_set_version
       WHERE p.company_id = $1 AND p.campaign_id = $2 AND p.participation_id = $3`,
      [companyId, campaignId, id],
    );
    return [...new Set(row?.types)];
  }

  private async readOne<Row extends ParticipationRow>(
    { companyId, campaignId, platform }: Fielded,
    participationId: StoredId | null,
    statement: (columns: string) => string,
  ): Promise<Row> {
    const [row] = await this.participations.query<Row[]>(
      statementWith(this.participations, statement),
      [companyId, campaignId, participationId, platform],
    );
    if (row === undefined) {
      throw participationNotFound();
    }
    return row;
  }

  private pinnedOf(fielded: Fielded, row: PinnedRow): PinnedParticipation {
    return Object.assign(currentOf(this.participations, fielded, row), {
      campaign: toEntity(this.transaction.manager.getRepository(Campaign), row),
      questionId: row.question_id,
      questions: row.questions,
    });
  }

  /**
   * Takes a step, and returns the participation as it then is. Nothing changes if it is not where
   * the step begins any more.
   */
  async take<Step extends keyof Steps>(
    step: Step,
    fielded: Fielded,
    participationId: StoredId,
    ...values: Steps[Step]
  ): Promise<TakenStep> {
    const { companyId, campaignId } = fielded;
    const parameters = [companyId, campaignId, participationId, ...values];
    const [row] = await this.participations.query<[ParticipationRow & Pick<TakenStep, 'became'>]>(
      this.taking(step, parameters.length),
      parameters,
    );
    const { became } = row;
    return Object.assign(currentOf(this.participations, fielded, row), { became });
  }

  private taking(step: keyof Steps, parameters: number): string {
    let statement = this.statements.get(step);
    if (statement === undefined) {
      const values = Array.from({ length: parameters }, (_, index) => `$${index + 1}`);
      // The function alone, with nothing around it: so a cluster runs it where the rows are.
      statement = `SELECT ${columnsOfRow(this.participations, 'part')},
          (part).expires_at <= clock_timestamp() AS over, became
        FROM ${step}_participation(${values.join(', ')})`;
      this.statements.set(step, statement);
    }
    return statement;
  }
}

/** Returns the participation in a row, and where it is in its life. */
export function currentOf(
  participations: Repository<Participation>,
  { postId, currency }: Pick<CurrentParticipation, 'postId' | 'currency'>,
  row: ParticipationRow,
): CurrentParticipation {
  const participation = toEntity(participations, row);
  const { state } = participation;
  return {
    postId,
    currency,
    participation,
    status: state === 'open' && row.over ? 'expired' : state,
  };
}
