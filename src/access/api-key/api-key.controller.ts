import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ChangePageDto } from '../../platform/event/history.dto';
import { HistoryService } from '../../platform/event/history.service';
import { AccountAuth } from '../company/account.guard';
import { environmentOf } from '../../platform/caller/environment.rules';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import {
  ApiKeyDto,
  ApiKeyPageDto,
  ApiKeyPathDto,
  GenerateApiKeyDto,
  GeneratedApiKeyDto,
  RevokeApiKeyDto,
  RotateApiKeyDto,
  RotatedApiKeyDto,
} from './api-key.dto';
import { GENERATE_EXAMPLES, LIMITS_EXAMPLES } from './api-key.examples';
import { ApiKeyService } from './api-key.service';
import { KeySpendingService } from './key-spending.service';
import { KeySpendingDto, UpdateKeyLimitsDto } from './spending-limit.dto';

@ApiTags('API keys')
@Controller('svc/api-key')
export class ApiKeyController {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly spending: KeySpendingService,
    private readonly histories: HistoryService,
  ) {}

  /**
   * Generate an API key
   *
   * @remarks The key is shown once and stored only as a hash; keep it safe. Every field is optional:
   * send an empty object, or no body at all. What a test key makes is apart from everything live.
   */
  @Post('generate')
  @Idempotent()
  @AccountAuth()
  @ApiBody({ type: GenerateApiKeyDto, required: false, examples: GENERATE_EXAMPLES })
  @RespondsWith(GeneratedApiKeyDto, 'The new key, with its secret.')
  async generateApiKey(
    @Caller() caller: Principal,
    @Body() request: GenerateApiKeyDto,
  ): Promise<Envelope<GeneratedApiKeyDto>> {
    const { key, secret } = await this.keys.generate(caller, request);
    return success(
      'API key generated. Store it now; it is not shown again.',
      GeneratedApiKeyDto.from(key, secret),
    );
  }

  /**
   * List API keys
   *
   * @remarks Newest first, including revoked keys; never the secrets.
   */
  @Get('list')
  @AccountAuth()
  @RespondsWith(ApiKeyPageDto, "A page of your company's keys.", { input: 'parameters' })
  async listApiKeys(
    @Caller() caller: Principal,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<ApiKeyPageDto>> {
    const keys = await this.keys.list(caller.callerId, page);
    return success('API keys listed.', ApiKeyPageDto.from(keys));
  }

  /**
   * Revoke an API key
   *
   * @remarks The key stops working everywhere within a second.
   */
  @Post('revoke')
  @Idempotent()
  @AccountAuth()
  @RespondsWith(ApiKeyDto, 'The key, now revoked.', { errors: ['api_key_not_found'] })
  async revokeApiKey(
    @Caller() caller: Principal,
    @Body() { key_id }: RevokeApiKeyDto,
  ): Promise<Envelope<ApiKeyDto>> {
    return success('API key revoked.', ApiKeyDto.from(await this.keys.revoke(caller, key_id)));
  }

  /**
   * Rotate an API key
   *
   * @remarks Returns a new key with the same name, scopes, expiry and limits, which the two share. The old key continues to work
   * for the overlap, so that you can switch your programs to the new one without a gap.
   */
  @Post('rotate')
  @Idempotent()
  @AccountAuth()
  @RespondsWith(RotatedApiKeyDto, 'The new key, with its secret, and the key it replaces.', {
    errors: ['api_key_not_found'],
  })
  async rotateApiKey(
    @Caller() caller: Principal,
    @Body() rotation: RotateApiKeyDto,
  ): Promise<Envelope<RotatedApiKeyDto>> {
    const { key, secret, replaced } = await this.keys.rotate(caller, rotation);
    return success('API key rotated. Store the new key now; it is not shown again.', {
      ...GeneratedApiKeyDto.from(key, secret),
      replaced: ApiKeyDto.from(replaced),
    });
  }

  /**
   * Set the limits of an API key
   *
   * @remarks What the key has committed stays, and counts against the new limit. A limit below it
   * only means that the key commits nothing more. What you leave out stays as it is. The limits are also
   * those of the keys that this one replaced in a rotation, or that replaced it.
   */
  @Patch('limits')
  @Idempotent()
  @AccountAuth()
  @ApiBody({ type: UpdateKeyLimitsDto, examples: LIMITS_EXAMPLES })
  @RespondsWith(ApiKeyDto, 'The key with its limits.', {
    errors: ['api_key_not_found', 'nothing_to_update'],
  })
  async updateApiKeyLimits(
    @Caller() caller: Principal,
    @Body() { key_id, ...limits }: UpdateKeyLimitsDto,
  ): Promise<Envelope<ApiKeyDto>> {
    const key = await this.spending.limit(caller, key_id, limits);
    return success('Limits set.', ApiKeyDto.from(key));
  }

  /**
   * Read what an API key has committed
   *
   * @remarks How much of its spending limit is used in the current period, also of a revoked key.
   */
  @Get(':key_id/spending')
  @AccountAuth()
  @RespondsWith(KeySpendingDto, 'What the key has committed.', {
    input: 'parameters',
    errors: ['api_key_not_found'],
  })
  async getApiKeySpending(
    @Caller() caller: Principal,
    @Param() { key_id }: ApiKeyPathDto,
  ): Promise<Envelope<KeySpendingDto>> {
    const key = await this.keys.findOwned(caller.callerId, key_id);
    const spending = await this.spending.spendingOf(key);
    return success('Spending found.', KeySpendingDto.from(key, spending));
  }

  /**
   * Read the history of an API key
   *
   * @remarks When it was generated, rotated and revoked, newest first. Uses are not recorded.
   */
  @Get(':key_id/history')
  @Heavy()
  @AccountAuth()
  @RespondsWith(ChangePageDto, 'A page of the changes to the key.', {
    input: 'parameters',
    errors: ['api_key_not_found'],
  })
  async getApiKeyHistory(
    @Caller() caller: Principal,
    @Param() { key_id }: ApiKeyPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<ChangePageDto>> {
    const key = await this.keys.findOwned(caller.callerId, key_id);
    const environment = environmentOf(key.companyId, key.mode);
    const changes = await this.histories.history(environment, key.keyId, page);
    return success('API key history found.', ChangePageDto.from(changes));
  }
}
