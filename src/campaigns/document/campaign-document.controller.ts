import { Body, Controller, Put, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../../platform/protocol/etag';
import { Caller, Principal } from '../../platform/caller/principal';
import { Approvable } from '../approval/approvable.decorator';
import { ApprovalGate } from '../approval/approval-gate.service';
import { LIFE_ERROR_CODES } from '../campaign/campaign.errors';
import { AppliedDocumentDto, CampaignDocumentDto } from './campaign-document.dto';
import { DOCUMENT_EXAMPLES } from './campaign-document.examples';
import { CampaignDocumentService } from './campaign-document.service';

const MESSAGES = {
  created: ['Campaign created from the document.', 'The document would create a campaign.'],
  updated: ['Campaign updated from the document.', 'The document would update the campaign.'],
  unchanged: ['The campaign matches the document.', 'The campaign matches the document.'],
} as const;

/** For a document that wants the campaign live, and does not undo what has stopped it. */
const STAYS_STOPPED =
  'Nothing to change. The campaign stays stopped for its stop_reason or status_reasons.';

@ApiTags('Campaign documents')
@Controller('svc/campaign')
export class CampaignDocumentController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly documents: CampaignDocumentService,
  ) {}

  /**
   * Apply a campaign document
   *
   * @remarks A whole campaign in one call, under a name of your own: its fields, its questions, its
   * cohort rewards, whom it asks, its guardrails, and whether it is live. The service creates or
   * changes the campaign to match the document, all or nothing; fields that the document leaves out stay as they are. Applying the
   * same document again changes nothing, so you can keep campaigns in version control. With
   * `dry_run`, the service does all of this and rolls it back: a document that would be refused is
   * refused in the dry run too.
   */
  @Put('apply')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @ApiBody({ type: CampaignDocumentDto, examples: DOCUMENT_EXAMPLES })
  @RespondsWith(AppliedDocumentDto, 'What the document changed, or would change in a dry run.', {
    etag: true,
    errors: [
      'wrong_campaign_type',
      'feedback_not_enabled',
      'questions_fixed',
      'cohort_reward_mismatch',
      'currency_mismatch',
      'document_incomplete',
      'version_conflict',
      'guardrail_name_taken',
      'too_many_guardrails',
      'quota_below_taken',
      'campaign_not_found',
      'campaign_not_owned',
      ...LIFE_ERROR_CODES,
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
    const staysStopped = document.is_live === true && !applied.is_live;
    return success(
      applied.result === 'unchanged' && staysStopped
        ? STAYS_STOPPED
        : MESSAGES[applied.result][applied.dry_run ? 1 : 0],
      applied,
    );
  }
}
