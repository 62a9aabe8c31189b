import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { AccountAuth } from '../company/account.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { CompanyId } from '../http/principal';
import { GenerateApiKeyDto, GeneratedApiKeyDto } from './api-key.dto';
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
}
