import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Envelope, success } from '../http/envelope';
import { requireMinorUnit } from '../company/currency.field';
import { Caller, currencyOf, Principal } from '../http/principal';
import { Idempotent } from '../idempotency/idempotent.decorator';
import { RespondsWith } from '../openapi/responds-with';
import {
  ArmGuardrailDto,
  CreateGuardrailDto,
  DeleteGuardrailDto,
  GuardrailDto,
  GuardrailListDto,
  GuardrailListQueryDto,
  UpdateGuardrailDto,
} from './guardrail.dto';
import { GuardrailService } from './guardrail.service';
import { amountsIn } from './metrics.rules';

@ApiTags('Guardrails')
@Controller('svc/guardrail')
export class GuardrailController {
  constructor(private readonly guardrails: GuardrailService) {}

  /**
   * Create a guardrail
   *
   * @remarks It watches the responses that come from now on, and fires after the one at which all of
   * its conditions hold: within two seconds, it writes a `guardrail.triggered` event and, with
   * `stop`, stops the campaign. Respondents who have begun can finish and are paid. It fires once
   * for each campaign, until it is armed again. A company has at most 50 guardrails, 10 of them for
   * one campaign and 10 for all campaigns.
   */
  @Post('create')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The new guardrail.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'guardrail_name_taken',
      'too_many_guardrails',
    ],
  })
  async createGuardrail(
    @Caller() caller: Principal,
    @Body() request: CreateGuardrailDto,
  ): Promise<Envelope<GuardrailDto>> {
    requireMinorUnit(currencyOf(caller), amountsIn(request.when.all));
    const created = await this.guardrails.create(caller.callerId, request);
    return success('Guardrail created.', GuardrailDto.from(created, currencyOf(caller)));
  }

  /**
   * List guardrails
   *
   * @remarks All guardrails of your company, or those that watch one campaign, oldest first.
   */
  @Get('list')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(GuardrailListDto, "Your company's guardrails.", {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async listGuardrails(
    @Caller() caller: Principal,
    @Query() { post_id }: GuardrailListQueryDto,
  ): Promise<Envelope<GuardrailListDto>> {
    const guardrails = await this.guardrails.list(caller.callerId, post_id);
    return success('Guardrails listed.', {
      items: guardrails.map((each) => GuardrailDto.from(each, currencyOf(caller))),
    });
  }

  /**
   * Update a guardrail
   *
   * @remarks Changes the fields that are present. With other conditions it forgets the responses
   * that it has seen. Where it has fired it stays fired until it is armed.
   */
  @Patch('update')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The guardrail after the update.', {
    errors: ['guardrail_not_found', 'guardrail_name_taken', 'nothing_to_update'],
  })
  async updateGuardrail(
    @Caller() caller: Principal,
    @Body() request: UpdateGuardrailDto,
  ): Promise<Envelope<GuardrailDto>> {
    requireMinorUnit(currencyOf(caller), amountsIn(request.when?.all ?? []));
    const updated = await this.guardrails.update(caller.callerId, request);
    return success('Guardrail updated.', GuardrailDto.from(updated, currencyOf(caller)));
  }

  /**
   * Delete a guardrail
   *
   * @remarks It watches nothing any more. A campaign that it has stopped stays stopped.
   */
  @Post('delete')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The guardrail as it was.', { errors: ['guardrail_not_found'] })
  async deleteGuardrail(
    @Caller() caller: Principal,
    @Body() { guardrail_id }: DeleteGuardrailDto,
  ): Promise<Envelope<GuardrailDto>> {
    const deleted = await this.guardrails.delete(caller.callerId, guardrail_id);
    return success('Guardrail deleted.', GuardrailDto.from(deleted, currencyOf(caller)));
  }

  /**
   * Arm a guardrail
   *
   * @remarks Lets it fire again. Responses submitted before this call no longer count for it. It does
   * not start the campaign that it has stopped.
   */
  @Post('arm')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The guardrail, armed.', {
    errors: ['guardrail_not_found', 'campaign_not_found', 'campaign_not_owned'],
  })
  async armGuardrail(
    @Caller() caller: Principal,
    @Body() request: ArmGuardrailDto,
  ): Promise<Envelope<GuardrailDto>> {
    const armed = await this.guardrails.arm(caller.callerId, request);
    return success('Guardrail armed.', GuardrailDto.from(armed, currencyOf(caller)));
  }
}
