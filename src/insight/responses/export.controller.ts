import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Controller, Get, Headers, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { acceptedEncoding } from '../../platform/protocol/accept-encoding';
import { companyOf } from '../../platform/caller/environment.rules';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { addVary } from '../../platform/protocol/vary';
import { goneSignal, whenClosed } from '../../platform/protocol/when-closed';
import { header } from '../../platform/openapi/headers';
import { RespondsWithFile } from '../../platform/openapi/responds-with';
import { ExportPlaces } from './export-places';
import { ExportedResponseDto, ExportEndDto, ExportQueryDto } from './export.dto';
import { EXPORT_FILES } from './export.examples';
import { measureExport } from './export.registry';
import { ExportService } from './export.service';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** Maximum number of listeners for one event of the response, above which Node warns of a leak. */
const MAX_LISTENERS = 20;

/** Removes headers that do not fit the error which replaces a response that is not yet sent. */
function removeHeaders(reply: FastifyReply, names: readonly string[]): void {
  if (reply.raw.headersSent) {
    return;
  }
  for (const name of names) {
    reply.removeHeader(name);
    // Fastify copies the headers of a stream when it begins to read it.
    reply.raw.removeHeader(name);
  }
}

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
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { format = 'ndjson' } = query;
    whenClosed(reply.raw, this.places.take(companyOf(companyId)));
    const gone = goneSignal(reply);
    const { covers, count, content } = await this.exports.open(companyId, post_id, query, gone);
    const isCompressed = acceptedEncoding(accepted, ['gzip']) !== undefined;
    const headers = {
      'content-type': `${TYPES[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="${post_id}.${format}"`,
      'export-count': String(count),
      'export-up-to-seq': String(covers.to),
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    };
    reply.headers({ 'cache-control': 'no-store', ...headers });
    addVary(reply, 'accept-encoding');
    // Fastify, Nest and the service add more listeners to it than Node expects.
    reply.raw.setMaxListeners(MAX_LISTENERS);
    measureExport(reply.raw);
    const text = Readable.from(content, { objectMode: false });
    text.once('error', () => {
      removeHeaders(reply, Object.keys(headers));
    });
    if (!isCompressed) {
      return new StreamableFile(text);
    }
    // An error destroys the compressed stream too, and with it the connection.
    return new StreamableFile(pipeline(text, createGzip(), () => undefined));
  }
}
