import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ChangePageDto } from '../audit/audit.dto';
import { AuditService } from '../audit/audit.service';
import { AccountAuth } from '../company/account.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { Caller, Principal } from '../http/principal';
import { PageQueryDto } from '../http/page.dto';
import { Idempotent } from '../idempotency/idempotent';
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
import { ApiKeyService } from './api-key.service';

@ApiTags('API keys')
@Controller('svc/api-key')
export class ApiKeyController {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Generate an API key
   *
   * @remarks The secret is shown this once and stored only as a hash; keep it safe. Every field is
   * optional: an empty object will do, and so will no body.
   */
  @Post('generate')
  @Idempotent()
  @AccountAuth()
  @ApiBody({ type: GenerateApiKeyDto, required: false })
  @Answers(GeneratedApiKeyDto)
  async generateApiKey(
    @Caller() caller: Principal,
    @Body() request: GenerateApiKeyDto,
  ): Promise<Envelope<GeneratedApiKeyDto>> {
    const { key, secret } = await this.keys.generate(caller, request);
    return success(
      'API key generated. Store it now: it is not shown again.',
      GeneratedApiKeyDto.from(key, secret),
    );
  }

  /**
   * List API keys
   *
   * @remarks Newest first, revoked ones included; never the secrets.
   */
  @Get('list')
  @AccountAuth()
  @Answers(ApiKeyPageDto, { input: 'parameters' })
  async listApiKeys(
    @Caller() caller: Principal,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<ApiKeyPageDto>> {
    const { items, nextCursor } = await this.keys.list(caller.companyId, page);
    return success('API keys listed.', {
      items: items.map((key) => ApiKeyDto.from(key)),
      next_cursor: nextCursor,
    });
  }

  /**
   * Revoke an API key
   *
   * @remarks It is refused at once by the process that answers, and within a second by every other.
   */
  @Post('revoke')
  @Idempotent()
  @AccountAuth()
  @Answers(ApiKeyDto, { errors: ['api_key_not_found'] })
  async revokeApiKey(
    @Caller() caller: Principal,
    @Body() { key_id }: RevokeApiKeyDto,
  ): Promise<Envelope<ApiKeyDto>> {
    return success('API key revoked.', ApiKeyDto.from(await this.keys.revoke(caller, key_id)));
  }

  /**
   * Rotate an API key
   *
   * @remarks Answers a new key with the same name, scopes and expiry. The old one goes on working
   * for the overlap, so that your programs can be given the new one without a gap.
   */
  @Post('rotate')
  @Idempotent()
  @AccountAuth()
  @Answers(RotatedApiKeyDto, { errors: ['api_key_not_found'] })
  async rotateApiKey(
    @Caller() caller: Principal,
    @Body() rotation: RotateApiKeyDto,
  ): Promise<Envelope<RotatedApiKeyDto>> {
    const { key, secret, replaced } = await this.keys.rotate(caller, rotation);
    return success('API key rotated. Store the new one now: it is not shown again.', {
      ...GeneratedApiKeyDto.from(key, secret),
      replaced: ApiKeyDto.from(replaced),
    });
  }

  /**
   * Read the history of an API key
   *
   * @remarks When it was generated, rotated and revoked, newest first. Its use is not written down.
   */
  @Get(':key_id/history')
  @AccountAuth()
  @Answers(ChangePageDto, { input: 'parameters', errors: ['api_key_not_found'] })
  async getApiKeyHistory(
    @Caller() caller: Principal,
    @Param() { key_id }: ApiKeyPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<ChangePageDto>> {
    const key = await this.keys.findOwned(caller.companyId, key_id);
    const changes = await this.audit.history(key.keyId, page);
    return success('API key history found.', ChangePageDto.from(changes));
  }
}
