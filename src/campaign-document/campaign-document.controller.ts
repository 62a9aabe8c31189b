import { Body, Controller, Put, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../http/etag';
import { Caller, Principal } from '../http/principal';
import { Idempotent } from '../idempotency/idempotent';
import { AppliedDocumentDto, CampaignDocumentDto } from './campaign-document.dto';
import { DOCUMENT_EXAMPLES } from './campaign-document.examples';
import { CampaignDocumentService } from './campaign-document.service';

const MESSAGES = {
  created: ['Campaign created.', 'The campaign would be created.'],
  updated: ['Campaign updated.', 'The campaign would be updated.'],
  unchanged: ['The campaign is as the document says.', 'The campaign is as the document says.'],
} as const;

@ApiTags('Campaign documents')
@Controller('svc/campaign')
export class CampaignDocumentController {
  constructor(private readonly documents: CampaignDocumentService) {}

  /**
   * Apply a campaign document
   *
   * @remarks A whole campaign in one call, under a name of your own: its fields, its questions, its
   * cohort rewards, and whether it is live. It is created or changed to be as the document says,
   * all or nothing; what the document leaves out stays as it is. Sending it again changes nothing,
   * so a campaign can be kept in version control. With `dry_run` nothing is written.
   */
  @Put('apply')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @ApiBody({ type: CampaignDocumentDto, examples: DOCUMENT_EXAMPLES })
  @Answers(AppliedDocumentDto, {
    etag: true,
    errors: [
      'wrong_campaign_type',
      'feedback_not_enabled',
      'questions_fixed',
      'cohort_reward_mismatch',
      'version_conflict',
    ],
  })
  async applyCampaign(
    @Caller() caller: Principal,
    @Body() document: CampaignDocumentDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<AppliedDocumentDto>> {
    const { applied, version } = await this.documents.apply(caller, document, expected);
    if (version !== null) {
      reply.header('etag', etagOf(version));
    }
    return success(MESSAGES[applied.result][applied.dry_run ? 1 : 0], applied);
  }
}
