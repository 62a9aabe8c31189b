import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { BodyLimit, KIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { requireMinorUnit } from '../../access/company/currency.field';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { Idempotent, IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  ArmGuardrailDto,
  CreateGuardrailDto,
  DeleteGuardrailDto,
  FiredGuardrail,
  GuardrailDto,
  GuardrailListDto,
  GuardrailListQueryDto,
  GuardrailPathDto,
  UpdateGuardrailDto,
} from './guardrail.dto';
import { GuardrailConditions } from './guardrail-conditions.service';
import { GuardrailService } from './guardrail.service';
import { amountsIn } from './metrics.rules';

type Change = Phases<void, GuardrailDto, Envelope<GuardrailDto>>;

/**
 * A change of a guardrail. A replay is for the key that repeats the request, which may see less of
 * the guardrail than the one that sent it first.
 */
function change(caller: Principal, message: string, work: () => Promise<FiredGuardrail>): Change {
  return {
    work: async () => GuardrailDto.from(await work(), currencyOf(caller)),
    respond: (guardrail) => success(message, GuardrailDto.shownTo(caller, guardrail)),
  };
}

@ApiTags('Guardrails')
@Controller('svc/guardrail')
export class GuardrailController {
  constructor(
    private readonly guardrails: GuardrailService,
    private readonly conditions: GuardrailConditions,
  ) {}

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
  @BodyLimit(128 * KIB)
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
    const { post_id, name, when, then } = request;
    const conditions = await this.conditions.check(caller.callerId, post_id, when);
    const created = await this.guardrails.create(caller.callerId, {
      postId: post_id ?? null,
      name,
      conditions,
      action: then,
    });
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
      items: guardrails.map((each) =>
        GuardrailDto.shownTo(caller, GuardrailDto.from(each, currencyOf(caller))),
      ),
    });
  }

  /**
   * Read a guardrail
   *
   * @remarks As the list of all guardrails shows it, with its last firing.
   */
  @Get(':guardrail_id')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(GuardrailDto, 'The guardrail.', {
    input: 'parameters',
    errors: ['guardrail_not_found'],
  })
  async getGuardrail(
    @Caller() caller: Principal,
    @Param() { guardrail_id }: GuardrailPathDto,
  ): Promise<Envelope<GuardrailDto>> {
    const found = await this.guardrails.findOwned(caller.callerId, guardrail_id);
    const guardrail = GuardrailDto.from(found, currencyOf(caller));
    return success('Guardrail found.', GuardrailDto.shownTo(caller, guardrail));
  }

  /**
   * Update a guardrail
   *
   * @remarks Changes the fields that are present. With other conditions it forgets the responses
   * that it has seen. Where it has fired it stays fired until it is armed.
   */
  @Patch('update')
  @BodyLimit(128 * KIB)
  @IdempotentInPhases()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The guardrail after the update.', {
    errors: ['guardrail_not_found', 'guardrail_name_taken', 'nothing_to_update'],
  })
  updateGuardrail(@Caller() caller: Principal, @Body() request: UpdateGuardrailDto): Change {
    requireMinorUnit(currencyOf(caller), amountsIn(request.when?.all ?? []));
    return change(caller, 'Guardrail updated.', () =>
      this.guardrails.update(caller.callerId, request),
    );
  }

  /**
   * Delete a guardrail
   *
   * @remarks It watches nothing any more. A campaign that it has stopped stays stopped.
   */
  @Post('delete')
  @IdempotentInPhases()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The guardrail as it was.', { errors: ['guardrail_not_found'] })
  deleteGuardrail(
    @Caller() caller: Principal,
    @Body() { guardrail_id }: DeleteGuardrailDto,
  ): Change {
    return change(caller, 'Guardrail deleted.', () =>
      this.guardrails.delete(caller.callerId, guardrail_id),
    );
  }

  /**
   * Arm a guardrail
   *
   * @remarks Lets it fire again. Responses submitted before this call no longer count for it. It does
   * not start the campaign that it has stopped.
   */
  @Post('arm')
  @IdempotentInPhases()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(GuardrailDto, 'The guardrail, armed.', {
    errors: ['guardrail_not_found', 'campaign_not_found', 'campaign_not_owned'],
  })
  armGuardrail(@Caller() caller: Principal, @Body() request: ArmGuardrailDto): Change {
    return change(caller, 'Guardrail armed.', () => this.guardrails.arm(caller.callerId, request));
  }
}
