import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import type { Found } from '../../platform/database/bounded-page';
import { FIRST_STORED_ID, printId, storedId, StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { statementLimit } from '../../platform/database/statement-limit';
import { FieldingKeys } from '../../fielding/participations/fielding-keys.service';
import { Participation } from '../../fielding/participations/participation.entity';
import {
  cutPage,
  fromTimeKey,
  Page,
  readCursor,
  toTimeKey,
  writeCursor,
} from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import type { Answer } from '../../campaigns/questions/answer.rules';
import { ResponseListQueryDto } from './responses.dto';
import { participationNotFound } from '../../fielding/participations/fielding.errors';
import { oneResponse, responsePage } from './responses.statements';
import type { SubmittedResponse } from './responses.types';

/** A row with a participation, its answers, and its question set. */
export type ResponseRow = Record<string, unknown> &
  Found & {
    participation_id: StoredId | null;
    question_id: string | null;
    answers: Answer[] | null;
    closed_at: Date;
  };

/** Where the page of the row ends, if it looked at everything that it may. */
type ListedRow = ResponseRow & { reached_at: Date | null; reached_id: StoredId | null };

@Injectable()
export class ResponsesService {
  constructor(
    @InjectRepository(Participation) private readonly participations: Repository<Participation>,
    private readonly campaigns: CampaignService,
    private readonly keys: FieldingKeys,
  ) {}

  /**
   * Returns a page of a campaign's responses, newest first. It looks at a limited number of
   * responses, so with filters it can be short or empty although there are more.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, or `validation_failed` if the
   * cursor
   *   was not returned by this list
   */
  async list(
    companyId: StoredId,
    postId: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor, ...filters }: ResponseListQueryDto,
  ): Promise<Page<SubmittedResponse>> {
    const { submitted_after, submitted_before } = filters;
    const list = { postId, ...filters };
    const [before, id] =
      cursor === undefined
        ? [submitted_before ?? 'infinity', FIRST_STORED_ID]
        : positionOf(readCursor(cursor, list, ['number', 'identifier']));
    const answers = answersOf(filters);
    const rows = await this.participations.query<ListedRow[]>(
      responsePage(columnList(this.participations), statementLimit(limit), answers !== undefined),
      [
        companyId,
        postId,
        before,
        id,
        submitted_after ?? '-infinity',
        filters.cohort ?? null,
        filters.version ?? null,
        filters.attention_score_min ?? null,
        filters.attention_score_max ?? null,
        filters.reversed ?? null,
        ...(answers ?? []),
      ],
    );
    const [first] = rows;
    if (first === undefined) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const responses = rows
      .filter(({ participation_id }) => participation_id !== null)
      .map((row) => this.responseOf(row, postId));
    const { items, nextCursor } = cutPage(
      responses,
      limit,
      ({ submittedAt, participation }) => sortKeyOf(submittedAt, participation.participationId),
      list,
      responses.length === 0 ? 0 : first.found,
    );
    const { reached_at, reached_id } = first;
    return {
      items,
      nextCursor:
        nextCursor === null && reached_at !== null && reached_id !== null
          ? writeCursor(sortKeyOf(reached_at, reached_id), list)
          : nextCursor,
    };
  }

  /**
   * Returns one response of a campaign.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `participation_not_found`
   */
  async find(companyId: StoredId, postId: string, id: string): Promise<SubmittedResponse> {
    const [row] = await this.participations.query<ResponseRow[]>(
      oneResponse(columnList(this.participations)),
      [companyId, postId, storedId('part', id)],
    );
    if (row === undefined) {
      await this.campaigns.findOwned(companyId, postId);
      throw participationNotFound();
    }
    return this.responseOf(row, postId);
  }

  /** The response in a row. */
  responseOf(row: ResponseRow, postId: string): SubmittedResponse {
    const participation = toEntity(this.participations, row);
    const { respondent } = participation;
    return {
      participation,
      submittedAt: row.closed_at,
      respondent: respondent === null ? null : this.keys.pseudonym(postId, respondent),
      questionId: row.question_id,
      answers: row.answers,
    };
  }
}

function sortKeyOf(submittedAt: Date, participationId: StoredId): [string, string] {
  return [toTimeKey(submittedAt), printId('part', participationId)];
}

/** Reads a position from a cursor. */
function positionOf([time, id = '']: readonly string[]): [Date, StoredId | null] {
  return [fromTimeKey(time), storedId('part', id)];
}

/**
 * The answers of which a response must have one, each as JSON: first for a campaign with questions,
 * then for an image survey, whose answers do not name its one question. The options of a multiple
 * choice or a ranking are in an array, some questions are answered with numbers or booleans, and
 * those of a matrix by row.
 */
function answersOf({
  question,
  answer,
  row,
}: ResponseListQueryDto): [string[], string[]] | undefined {
  if (question === undefined && answer === undefined) {
    return undefined;
  }
  const values = [answer, ...(answer === undefined ? [] : [[answer]])];
  const number = answer !== undefined && /^-?\d{1,13}(\.\d{1,6})?$/.test(answer);
  const boolean = answer === 'true' || answer === 'false';
  const all = [
    ...values,
    ...(number ? [Number(answer)] : []),
    ...(boolean ? [answer === 'true'] : []),
  ];
  const inRow = (value: unknown) => (row === undefined ? value : { [row]: value });
  return [
    all.map((value) => JSON.stringify([{ question, value: inRow(value) }])),
    (question ?? 1) === 1 && row === undefined
      ? all.map((value) => JSON.stringify([{ value }]))
      : [],
  ];
}
