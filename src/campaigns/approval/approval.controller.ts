import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { AccountAuth } from '../../access/company/account.guard';
import { Caller, Principal } from '../../platform/caller/principal';
import { Idempotent, IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import {
  ApprovalDto,
  ApprovalListQueryDto,
  ApprovalPageDto,
  ApprovalPathDto,
  ApproveDto,
  RefuseApprovalDto,
  RequestedApprovalDto,
} from './approval.dto';
import { approvalOutdated } from './approval.errors';
import { ApprovalsService } from './approvals.service';

@ApiTags('Approvals')
@Controller('svc/approval')
export class ApprovalController {
  constructor(private readonly approvals: ApprovalsService) {}

  /**
   * List approvals
   *
   * @remarks Requests of your API keys that commit more than the key may without you, newest first.
   */
  @Get('list')
  @AccountAuth()
  @RespondsWith(ApprovalPageDto, "A page of your company's approvals.", { input: 'parameters' })
  async listApprovals(
    @Caller() caller: Principal,
    @Query() query: ApprovalListQueryDto,
  ): Promise<Envelope<ApprovalPageDto>> {
    const page = await this.approvals.list(caller, query);
    return success('Approvals listed.', ApprovalPageDto.from(page));
  }

  /**
   * Read an approval
   *
   * @remarks For the program whose request waits: whether it was carried out.
   */
  @Get(':approval_id')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(ApprovalDto, 'The approval.', {
    input: 'parameters',
    errors: ['approval_not_found'],
  })
  async getApproval(
    @Caller() caller: Principal,
    @Param() { approval_id }: ApprovalPathDto,
  ): Promise<Envelope<ApprovalDto>> {
    const approval = await this.approvals.read(caller, approval_id);
    return success('Approval found.', ApprovalDto.from(approval));
  }

  /**
   * Read what you would approve
   *
   * @remarks The approval with the body of its request, which is what an approval carries out.
   */
  @Get(':approval_id/request')
  @AccountAuth()
  @RespondsWith(RequestedApprovalDto, 'The approval, with its request.', {
    input: 'parameters',
    errors: ['approval_not_found'],
  })
  async getApprovalRequest(
    @Caller() caller: Principal,
    @Param() { approval_id }: ApprovalPathDto,
  ): Promise<Envelope<RequestedApprovalDto>> {
    const approval = await this.approvals.readOwned(caller, approval_id);
    return success('Request found.', RequestedApprovalDto.from(approval));
  }

  /**
   * Approve a request
   *
   * @remarks Carries the request out: exactly as it was sent, as its key, and only if the campaign is
   * still at the version that it was made for. Otherwise the response is 412, and the request has to be
   * made again. If something else refuses it, such as a spending limit, it goes on waiting. Approving again
   * carries out nothing and returns the same approval.
   */
  @Post('approve')
  @IdempotentInPhases()
  @AccountAuth()
  @RespondsWith(ApprovalDto, 'The approval, carried out.', {
    etag: true,
    errors: ['approval_not_found', 'approval_closed', 'approval_key_ended', 'version_conflict'],
  })
  approveRequest(
    @Caller() caller: Principal,
    @Body() { approval_id }: ApproveDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Phases<void, ApprovalDto, Envelope<ApprovalDto>> {
    return {
      work: async () => ApprovalDto.from(await this.approvals.approve(caller, approval_id, reply)),
      respond: (approval) => {
        if (approval.state === 'outdated') {
          throw approvalOutdated();
        }
        return success('Request approved and carried out.', approval);
      },
    };
  }

  /**
   * Refuse a request
   *
   * @remarks The request is never carried out. For 72 hours after it was made, the same request is refused
   * at once.
   */
  @Post('refuse')
  @Idempotent()
  @AccountAuth()
  @RespondsWith(ApprovalDto, 'The approval, refused.', {
    errors: ['approval_not_found', 'approval_closed'],
  })
  async refuseRequest(
    @Caller() caller: Principal,
    @Body() refusal: RefuseApprovalDto,
  ): Promise<Envelope<ApprovalDto>> {
    const approval = await this.approvals.refuse(caller, refusal);
    return success('Request refused.', ApprovalDto.from(approval));
  }
}
