import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { Found } from '../../platform/database/bounded-page';
import { storedId, StoredId } from '../../platform/database/identifiers';
import { statementWith } from '../../platform/database/rows';
import { Participation } from '../../fielding/participations/participation.entity';
import { refuseBeyond } from '../../platform/event/feed-position.rules';
import { queueNameOf } from '../../platform/caller/environment.rules';
import { SequencerService } from '../../platform/event/sequencer.service';
import { ApiError, clientGone, fieldError } from '../../platform/protocol/api-error';
import { HeavyWork } from '../../platform/limits/heavy-work';
import { InterruptibleTurns } from '../../platform/limits/turns';
import type { Question } from '../../campaigns/questions/question.types';
import { AnswerColumns, imageColumns, QuestionColumns } from './export-columns.rules';
import { Covered, toCsv, toNdjson } from './export-format.rules';
import { ExportedResponseDto, ExportQueryDto } from './export.dto';
import { Conditions, SetConditions, VersionedRow } from './set-conditions';
import { countExportedRows } from './export.registry';
import {
  COUNT,
  LIST,
  LOOK_MAXIMUM,
  pageBetween,
  pageOfListed,
  QUESTION_SETS,
  RANGE,
  ROWS_MAXIMUM,
  Wanted,
} from './export.statements';
import { ResponseRow, ResponsesService } from './responses.service';

/** The most columns of several question sets in one table. One set can have as many by itself. */
const COLUMNS_MAXIMUM = 25_000;

/** The submissions of an export, piece by piece. */
interface Submissions {
  count: number;
  /** A statement for a page of them, whose first parameters are the company and the campaign. */
  statement: string;
  /** The other parameters for the piece after an event, and the last event of that piece. */
  pieceAfter: (seq: number) => { parameters: unknown[]; end: number };
}

type ExportRow = ResponseRow & Found & VersionedRow & { seq: string; quotas: string[] | null };

/** An export that has begun. */
export interface ResponseExport {
  covers: Covered;
  count: number;
  /** Reads a page of the database whenever the one before has been taken. */
  content: AsyncIterable<string>;
}

@Injectable()
export class ExportService implements OnModuleDestroy {
  private readonly opening = new InterruptibleTurns('The export was interrupted. Send it again.');

  constructor(
    @InjectRepository(Participation) private readonly participations: Repository<Participation>,
    private readonly campaigns: CampaignService,
    private readonly responses: ResponsesService,
    private readonly heavy: HeavyWork,
    private readonly sequencer: SequencerService,
  ) {}

  /** The shutdown does not wait for those that have not begun. */
  onModuleDestroy(): void {
    this.opening.stop();
  }

  /**
   * Fixes what an export contains, and counts it.
   *
   * @param gone ends the work
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `question_set_not_found`,
   *   `feed_position_unknown`, `validation_failed` if a CSV would have columns of too many
   *   versions, or `request_timeout` or `service_unavailable` if it was interrupted
   */
  async open(
    companyId: StoredId,
    postId: string,
    { format = 'ndjson', cohorts, ...query }: ExportQueryDto,
    gone: AbortSignal,
  ): Promise<ResponseExport> {
    const { version = null, bom = false } = query;
    const campaign = await this.campaigns.findOwned(companyId, postId);
    await this.sequencer.settle(companyId);
    const [range] = await this.participations.query<
      { last_seq: string; start_seq: string | null; submitted: string }[]
    >(RANGE, [companyId, campaign.id, storedId('post', postId)]);
    // Read after the range, the question sets include those of all of its responses.
    const columns = await this.columnsOf(campaign, format === 'csv', version, gone);
    const last = Number(range?.last_seq ?? 0);
    const { after_seq: after = 0, up_to_seq: upTo = last } = query;
    refuseBeyond(last, { after_seq: after, up_to_seq: upTo });
    const wanted: Wanted = {
      // No respondent can submit before the campaign exists.
      after: Math.max(after, Number(range?.start_seq ?? last)),
      upTo,
      cohorts: cohorts === undefined ? null : cohorts.split(',').map(Number),
      version,
    };
    const areFew = Number(range?.submitted) <= LOOK_MAXIMUM && upTo - wanted.after > LOOK_MAXIMUM;
    const submissions = await (areFew
      ? this.list(campaign, wanted)
      : this.find(campaign, wanted, gone));
    const covers = { from: after + 1, to: Math.max(after, upTo) };
    const pages = this.pages(campaign, submissions, wanted);
    const options = { byteOrderMark: bom, hasQuotas: campaign.targetingVersion !== null };
    const content = columns === null ? toNdjson(pages, covers) : toCsv(pages, columns, options);
    return { covers, count: submissions.count, content };
  }

  /** Finds the submissions to a campaign in the log. */
  private async find(
    { companyId, id, postId }: Campaign,
    { after, upTo, cohorts, version }: Wanted,
    gone: AbortSignal,
  ): Promise<Submissions> {
    const pieceAfter = (seq: number) => {
      const end = Math.min(upTo, seq + LOOK_MAXIMUM);
      return { parameters: [postId, seq, end, cohorts, version], end };
    };
    let count = 0;
    for (let at = after; at < upTo;) {
      if (gone.aborted) {
        throw clientGone();
      }
      const { parameters, end } = pieceAfter(at);
      const [row] = await this.participations.query<{ count: number }[]>(COUNT, [
        companyId,
        id,
        ...parameters,
      ]);
      count += row?.count ?? 0;
      at = end;
    }
    return { count, statement: statementWith(this.participations, pageBetween), pieceAfter };
  }

  /** Lists the submissions to a campaign with few of them, however long the log is. */
  private async list(
    { companyId, id, postId }: Campaign,
    { after, upTo, cohorts, version }: Wanted,
  ): Promise<Submissions> {
    const rows = await this.participations.query<{ seq: string; subject: string }[]>(LIST, [
      companyId,
      id,
      ...[postId, after, upTo, cohorts, version],
    ]);
    const listed = rows.map(({ seq, subject }) => ({ seq: Number(seq), subject }));
    return {
      count: listed.length,
      statement: statementWith(this.participations, pageOfListed),
      pieceAfter: (seq) => {
        const later = listed.filter((each) => each.seq > seq);
        const piece = later.slice(0, ROWS_MAXIMUM);
        return {
          parameters: [piece.map((each) => each.seq), piece.map(({ subject }) => subject)],
          end: later.length > piece.length ? (piece.at(-1)?.seq ?? upTo) : upTo,
        };
      },
    };
  }

  /** Holds neither a connection nor a turn of heavy work while the client reads a page. */
  private async *pages(
    campaign: Campaign,
    { statement, pieceAfter }: Submissions,
    { after, upTo }: Wanted,
  ): AsyncGenerator<Iterable<ExportedResponseDto>> {
    const { companyId, id } = campaign;
    const conditions = new SetConditions(this.participations, campaign);
    for (let at = after; at < upTo;) {
      const { parameters, end } = pieceAfter(at);
      const rows = await this.heavy.run(queueNameOf(companyId), () =>
        this.participations.query<ExportRow[]>(statement, [companyId, id, ...parameters]),
      );
      const isCut = (rows[0]?.found ?? 0) > rows.length;
      at = isCut ? Number(rows.at(-1)?.seq) : end;
      if (rows.length > 0) {
        countExportedRows(rows.length);
        for await (const [run, asked] of conditions.runsOf(rows)) {
          yield this.responsesIn(run, campaign, asked);
        }
      }
    }
  }

  private *responsesIn(
    rows: readonly ExportRow[],
    campaign: Campaign,
    asked: Conditions,
  ): Generator<ExportedResponseDto> {
    for (const row of rows) {
      const response = this.responses.responseOf(row, campaign.postId);
      yield ExportedResponseDto.fromRow(row, response, campaign.currency, asked);
    }
  }

  /** The columns of a table; `null` for another format. */
  private async columnsOf(
    { companyId, id, postId, format, imageSurvey }: Campaign,
    isTable: boolean,
    version: number | null,
    gone: AbortSignal,
  ): Promise<AnswerColumns | null> {
    const sets =
      isTable || version !== null
        ? await this.participations.query<(Found & { version: number; questions: Question[] })[]>(
            QUESTION_SETS,
            [companyId, id, version],
          )
        : [];
    if (version !== null && sets.length === 0) {
      throw new ApiError('question_set_not_found', `${postId} has no question set ${version}.`);
    }
    if ((sets[0]?.found ?? 0) > sets.length) {
      throw versionRequired();
    }
    if (!isTable) {
      return null;
    }
    if (imageSurvey !== null) {
      return imageColumns(format, imageSurvey);
    }
    const columns = new QuestionColumns();
    const all = sets.flatMap((set) =>
      set.questions.map((question) => [set.version, question] as const),
    );
    await this.opening.forEach(all, gone, ([ofVersion, question]) => {
      columns.add(ofVersion, question);
      if (version === null && columns.count > COLUMNS_MAXIMUM) {
        throw versionRequired();
      }
    });
    return columns;
  }
}

const versionRequired = (): ApiError =>
  fieldError(
    'version',
    'required',
    'version is required: all question sets have too many columns.',
  );
