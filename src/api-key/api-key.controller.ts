import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { AccountAuth } from '../company/account.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { CompanyId } from '../http/principal';
import { PageQueryDto } from '../http/page.dto';
import {
  ApiKeyDto,
  ApiKeyPageDto,
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
  constructor(private readonly keys: ApiKeyService) {}

  /**
   * Generate an API key
   *
   * @remarks The secret is shown this once and stored only as a hash; keep it safe. Every field is
   * optional: an empty object will do, and so will no body.
   */
  @Post('generate')
  @AccountAuth()
  @ApiBody({ type: GenerateApiKeyDto, required: false })
  @Answers(GeneratedApiKeyDto)
  async generateApiKey(
    @CompanyId() companyId: string,
    @Body() request: GenerateApiKeyDto,
  ): Promise<Envelope<GeneratedApiKeyDto>> {
    const { key, secret } = await this.keys.generate(companyId, request);
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
    @CompanyId() companyId: string,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<ApiKeyPageDto>> {
    const { keys, nextCursor } = await this.keys.list(companyId, page);
    return success('API keys listed.', {
      items: keys.map((key) => ApiKeyDto.from(key)),
      next_cursor: nextCursor,
    });
  }

  /**
   * Revoke an API key
   *
   * @remarks It is refused at once by the process that answers, and within a second by every other.
   */
  @Post('revoke')
  @AccountAuth()
  @Answers(ApiKeyDto, { errors: ['api_key_not_found'] })
  async revokeApiKey(
    @CompanyId() companyId: string,
    @Body() { key_id }: RevokeApiKeyDto,
  ): Promise<Envelope<ApiKeyDto>> {
    return success('API key revoked.', ApiKeyDto.from(await this.keys.revoke(companyId, key_id)));
  }

  /**
   * Rotate an API key
   *
   * @remarks Answers a new key with the same name, scopes and expiry. The old one goes on working
   * for the overlap, so that your programs can be given the new one without a gap.
   */
  @Post('rotate')
  @AccountAuth()
  @Answers(RotatedApiKeyDto, { errors: ['api_key_not_found'] })
  async rotateApiKey(
    @CompanyId() companyId: string,
    @Body() rotation: RotateApiKeyDto,
  ): Promise<Envelope<RotatedApiKeyDto>> {
    const { key, secret, replaced } = await this.keys.rotate(companyId, rotation);
    return success('API key rotated. Store the new one now: it is not shown again.', {
      ...GeneratedApiKeyDto.from(key, secret),
      replaced: ApiKeyDto.from(replaced),
    });
  }
}
