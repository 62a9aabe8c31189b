import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { sendDownload } from '../../platform/protocol/download';
import { companyOf } from '../../platform/caller/environment.rules';
import { exportPlaces } from '../../platform/limits/export-places';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { goneSignal, whenClosed } from '../../platform/protocol/when-closed';
import { header } from '../../platform/openapi/headers';
import { RespondsWithFile } from '../../platform/openapi/responds-with';
import { ExportedResponseDto, ExportEndDto, ExportQueryDto } from './export.dto';
import { EXPORT_FILES } from './export.examples';
import { measureExport } from './export.registry';
import { ExportService } from './export.service';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  /**
   * Export responses
   *
   * @remarks All responses, in the order of their `seq`, as one download. The header `Export-Count`
   * says how many rows it has, and `Export-Up-To-Seq` the `seq` up to which it accounts for all
   * responses. If the connection is cut, send the `seq` of the last whole row as `after_seq`, and the
   * same `up_to_seq`. Send `Export-Up-To-Seq` as `after_seq` to export only what came later. The last
   * line of `ndjson` is `{ "covers": { "from", "to" }, "count", "sha256" }`, with the SHA-256 of all
   * bytes before it. A company reads at most two exports at once from one instance of the service,
   * and all companies together at most 20.
   */
  @Get(':post_id/responses/export')
  @Heavy()
  @ApiKeyAuth('responses:read')
  @ApiExtraModels(ExportedResponseDto, ExportEndDto)
  @RespondsWithFile(EXPORT_FILES, 'The responses.', {
    headers: {
      'Content-Disposition': header('ContentDisposition'),
      'Export-Count': header('ExportCount'),
      'Export-Up-To-Seq': header('ExportUpToSeq'),
    },
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'question_set_not_found',
      'feed_position_unknown',
      'rate_limited',
    ],
  })
  async exportResponses(
    @Caller() { callerId: companyId }: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() query: ExportQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { format = 'ndjson' } = query;
    whenClosed(reply.raw, exportPlaces.take(companyOf(companyId)));
    const gone = goneSignal(reply);
    const { covers, count, content } = await this.exports.open(companyId, post_id, query, gone);
    measureExport(reply.raw);
    return sendDownload(reply, {
      content,
      type: TYPES[format],
      filename: `${post_id}.${format}`,
      headers: { 'export-count': String(count), 'export-up-to-seq': String(covers.to) },
    });
  }
}
