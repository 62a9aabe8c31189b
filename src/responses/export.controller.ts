import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Controller, Get, Headers, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { CampaignPathDto } from '../campaign/campaign-read.dto';
import { companyOf } from '../http/environment.rules';
import { Heavy } from '../http/heavy-requests';
import { Caller, Principal } from '../http/principal';
import { RespondsWithFile } from '../openapi/responds-with';
import { ExportPlaces } from './export-places';
import { ExportQueryDto } from './export.dto';
import { measureExport } from './export.registry';
import { ExportService } from './export.service';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** `gzip` or `*`, unless its weight is 0. */
const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[0-9.]+\s*)?(?:,|$)/i;

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class ExportController {
  private readonly places = new ExportPlaces();

  constructor(private readonly exports: ExportService) {}

  /**
   * Export responses
   *
   * @remarks All responses, in the order of their `seq`, as one download. The header `Export-Count`
   * says how many rows it has, and `Export-Up-To-Seq` the `seq` up to which it accounts for all
   * responses. If the connection is cut, send the `seq` of the last whole row as `after_seq`, and the
   * same `up_to_seq`. Send `Export-Up-To-Seq` as `after_seq` to export only what came later. The last
   * line of `ndjson` is `{ "covers": { "from", "to" }, "count", "sha256" }`, with the SHA-256 of all
   * bytes before it. A company reads at most two exports at once from one instance of the service.
   */
  @Get(':post_id/responses/export')
  @Heavy()
  @ApiKeyAuth('responses:read')
  @RespondsWithFile(Object.values(TYPES), 'The responses.', {
    headers: ['Export-Count', 'Export-Up-To-Seq'],
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
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { format = 'ndjson' } = query;
    reply.raw.once('close', this.places.take(companyOf(companyId)));
    const { covers, count, content } = await this.exports.open(companyId, post_id, query);
    reply.headers({
      'content-type': `${TYPES[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="${post_id}.${format}"`,
      'cache-control': 'no-store',
      vary: 'accept-encoding',
      'export-count': String(count),
      'export-up-to-seq': String(covers.to),
    });
    measureExport(reply.raw);
    const text = Readable.from(content, { objectMode: false });
    if (!GZIP.test(accepted ?? '')) {
      return new StreamableFile(text);
    }
    reply.header('content-encoding', 'gzip');
    // An error destroys the compressed stream too, and with it the connection.
    return new StreamableFile(pipeline(text, createGzip(), () => undefined));
  }
}
