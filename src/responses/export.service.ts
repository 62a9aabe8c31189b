import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../campaign/campaign.service';
import type { Campaign } from '../campaign/campaign.entity';
import type { Found } from '../database/bounded-page';
import { columnList } from '../database/rows';
import { Participation } from '../fielding/participation.entity';
import { ApiError } from '../http/api-error';
import type { Question } from '../questions/question.rules';
import { AnswerColumns, imageColumns, questionColumns } from './export-columns.rules';
import { Covered, toCsv, toNdjson } from './export-format.rules';
import { ExportedResponseDto, ExportQueryDto } from './export.dto';
import { COUNT, exportPage, LOOK_MAXIMUM, questionSets, RANGE } from './export.statements';
import { ResponseRow, ResponsesService } from './responses.service';

/** The most question sets whose columns one table has. */
const SETS_MAXIMUM = 20;

/** The most columns of several question sets in one table. One set can have as many by itself. */
const COLUMNS_MAXIMUM = 25_000;

type Parameters = [company: string, post: string, after: number, upTo: number, ...rest: unknown[]];

/** An export that has begun. */
export interface ResponseExport {
  covers: Covered;
  count: number;
  /** Reads a page of the database whenever the one before has been taken. */
  content: AsyncIterable<string>;
}

@Injectable()
export class ExportService {
  constructor(
    @InjectRepository(Participation) private readonly participations: Repository<Participation>,
    private readonly campaigns: CampaignService,
    private readonly responses: ResponsesService,
  ) {}

  /**
   * Fixes what an export contains, and counts it.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `question_set_not_found`,
   *   `feed_position_unknown`, or `validation_failed` if a CSV would have columns of too many
   *   versions
   */
  async open(
    companyId: string,
    postId: string,
    { format = 'ndjson', cohorts, ...query }: ExportQueryDto,
  ): Promise<ResponseExport> {
    const { version = null, bom = false } = query;
    const campaign = await this.campaigns.findOwned(companyId, postId);
    const columns = await this.columnsOf(campaign, format === 'csv', version);
    const [range] = await this.participations.query<
      { last_seq: string; created_seq: string | null }[]
    >(RANGE, [companyId, postId]);
    const last = Number(range?.last_seq ?? 0);
    const { after_seq: after = 0, up_to_seq: upTo = last } = query;
    refuseBeyond(last, { after_seq: after, up_to_seq: upTo });
    const wanted = cohorts === undefined ? null : cohorts.split(',').map(Number);
    // No respondent can submit before the campaign exists.
    const start = Math.max(after, Number(range?.created_seq ?? last));
    const rest = [wanted, version, campaign.id];
    let count = 0;
    for (let at = start; at < upTo; at += LOOK_MAXIMUM) {
      const end = Math.min(upTo, at + LOOK_MAXIMUM);
      const [row] = await this.participations.query<{ count: number }[]>(COUNT, [
        companyId,
        postId,
        at,
        end,
        ...rest,
      ]);
      count += row?.count ?? 0;
    }
    const covers = { from: after + 1, to: Math.max(after, upTo) };
    const pages = this.pages([companyId, postId, start, upTo, ...rest], postId);
    const content = columns === null ? toNdjson(pages, covers) : toCsv(pages, columns, bom);
    return { covers, count, content };
  }

  /** Holds no connection while a page is being read by the client. */
  private async *pages(
    [company, post, after, upTo, ...rest]: Parameters,
    postId: string,
  ): AsyncGenerator<ExportedResponseDto[]> {
    const statement = exportPage(columnList(this.participations));
    for (let at = after; at < upTo;) {
      const end = Math.min(upTo, at + LOOK_MAXIMUM);
      const rows = await this.participations.query<(ResponseRow & Found & { seq: string })[]>(
        statement,
        [company, post, at, end, ...rest],
      );
      const isCut = (rows[0]?.found ?? 0) > rows.length;
      at = isCut ? Number(rows.at(-1)?.seq) : end;
      if (rows.length > 0) {
        yield rows.map((row) =>
          ExportedResponseDto.fromRow(Number(row.seq), this.responses.responseOf(row, postId)),
        );
      }
    }
  }

  /** The columns of a table; `null` for another format. */
  private async columnsOf(
    { companyId, id, postId, format, imageSurvey }: Campaign,
    isTable: boolean,
    version: number | null,
  ): Promise<AnswerColumns | null> {
    const sets =
      isTable || version !== null
        ? await this.participations.query<{ version: number; questions: Question[] }[]>(
            questionSets(SETS_MAXIMUM + 1),
            [companyId, id, version],
          )
        : [];
    if (version !== null && sets.length === 0) {
      throw new ApiError('question_set_not_found', `${postId} has no question set ${version}.`);
    }
    if (sets.length > SETS_MAXIMUM) {
      throw versionRequired();
    }
    if (!isTable) {
      return null;
    }
    if (imageSurvey !== null) {
      return imageColumns(format, imageSurvey);
    }
    const columns = questionColumns(sets.toReversed());
    if (version === null && columns.names.length > COLUMNS_MAXIMUM) {
      throw versionRequired();
    }
    return columns;
  }
}

/** Not the columns of all versions fit into one table. */
function versionRequired(): ApiError {
  const message = 'is required, because the columns of all question sets do not fit into one table';
  return new ApiError('validation_failed', `version ${message}.`, [
    { field: 'version', code: 'required', message },
  ]);
}

function refuseBeyond(last: number, positions: Record<string, number>): void {
  for (const [field, position] of Object.entries(positions)) {
    if (position > last) {
      const message = `${field} is beyond the last event, which has the seq ${last}.`;
      throw new ApiError('feed_position_unknown', message, [{ field, code: 'too_large', message }]);
    }
  }
}
