import { Body, Controller, Get, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Caller, Principal } from '../../platform/caller/principal';
import { goneSignal } from '../../platform/protocol/when-closed';
import { Idempotent, IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  CreateWebhookDto,
  DeleteWebhookDto,
  RotateWebhookSecretDto,
  TestedWebhookDto,
  TestWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookListDto,
  WebhookPathDto,
  WebhookWithSecretDto,
} from './webhook.dto';
import { WebhookService } from './webhook.service';
import { WebhookTests } from './webhook-tests.service';

@ApiTags('Webhooks')
@Controller('svc/webhook')
export class WebhookController {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly tests: WebhookTests,
  ) {}

  /**
   * Create a webhook
   *
   * @remarks Every further event is sent to the URL as a signed POST request, at least once. The
   * secret that verifies the signatures is shown once. The URL must be https and have a public
   * address. A company has at most 20 webhooks. The API key also needs the scope `events:read`,
   * because a webhook receives what that scope guards.
   */
  @Post('create')
  @Idempotent()
  @ApiKeyAuth('webhooks:write', 'events:read')
  @RespondsWith(WebhookWithSecretDto, 'The new webhook, with its secret.', {
    errors: ['too_many_webhooks'],
  })
  async createWebhook(
    @Caller() caller: Principal,
    @Body() request: CreateWebhookDto,
  ): Promise<Envelope<WebhookWithSecretDto>> {
    const { webhook, secret } = await this.webhooks.create(caller, request);
    return success(
      'Webhook created. Store its secret now; it is not shown again.',
      WebhookWithSecretDto.with(webhook, secret),
    );
  }

  /**
   * List webhooks
   *
   * @remarks All webhooks of your company, oldest first; never the secrets.
   */
  @Get('list')
  @ApiKeyAuth('webhooks:read')
  @RespondsWith(WebhookListDto, "Your company's webhooks.", { input: 'parameters' })
  async listWebhooks(
    @Caller() { callerId: companyId }: Principal,
  ): Promise<Envelope<WebhookListDto>> {
    const webhooks = await this.webhooks.list(companyId);
    return success('Webhooks listed.', { items: webhooks.map((each) => WebhookDto.from(each)) });
  }

  /**
   * Read a webhook
   *
   * @remarks As the list shows it; never its secret.
   */
  @Get(':webhook_id')
  @ApiKeyAuth('webhooks:read')
  @RespondsWith(WebhookDto, 'The webhook.', {
    input: 'parameters',
    errors: ['webhook_not_found'],
  })
  async getWebhook(
    @Caller() { callerId: companyId }: Principal,
    @Param() { webhook_id }: WebhookPathDto,
  ): Promise<Envelope<WebhookDto>> {
    const webhook = await this.webhooks.findOwned(companyId, webhook_id);
    return success('Webhook found.', WebhookDto.from(webhook));
  }

  /**
   * Update a webhook
   *
   * @remarks Changes the fields that are present. Enabling a webhook sends the events that it has
   * missed, from the log. The API key also needs the scope `events:read`.
   */
  @Patch('update')
  @Idempotent()
  @ApiKeyAuth('webhooks:write', 'events:read')
  @RespondsWith(WebhookDto, 'The webhook after the update.', {
    errors: ['webhook_not_found', 'nothing_to_update'],
  })
  async updateWebhook(
    @Caller() caller: Principal,
    @Body() request: UpdateWebhookDto,
  ): Promise<Envelope<WebhookDto>> {
    return success(
      'Webhook updated.',
      WebhookDto.from(await this.webhooks.update(caller, request)),
    );
  }

  /**
   * Rotate the secret of a webhook
   *
   * @remarks For 24 hours each message has two signatures, one for each secret, so that you can
   * change your receiver without a gap.
   */
  @Post('rotate-secret')
  @Idempotent()
  @ApiKeyAuth('webhooks:write')
  @RespondsWith(WebhookWithSecretDto, 'The webhook, with its new secret.', {
    errors: ['webhook_not_found'],
  })
  async rotateWebhookSecret(
    @Caller() caller: Principal,
    @Body() { webhook_id }: RotateWebhookSecretDto,
  ): Promise<Envelope<WebhookWithSecretDto>> {
    const { webhook, secret } = await this.webhooks.rotateSecret(caller, webhook_id);
    return success(
      'Secret rotated. Store the new secret now; it is not shown again.',
      WebhookWithSecretDto.with(webhook, secret),
    );
  }

  /**
   * Delete a webhook
   *
   * @remarks Its deliveries are deleted with it. Messages that are being sent may still arrive.
   */
  @Post('delete')
  @Idempotent()
  @ApiKeyAuth('webhooks:write')
  @RespondsWith(WebhookDto, 'The webhook as it was.', { errors: ['webhook_not_found'] })
  async deleteWebhook(
    @Caller() { callerId: companyId }: Principal,
    @Body() { webhook_id }: DeleteWebhookDto,
  ): Promise<Envelope<WebhookDto>> {
    return success(
      'Webhook deleted.',
      WebhookDto.from(await this.webhooks.delete(companyId, webhook_id)),
    );
  }

  /**
   * Test a webhook
   *
   * @remarks Sends a `webhook.tested` event to this webhook only, whatever its types are. The
   * deliveries of the webhook show what came of it.
   */
  @Post('test')
  @IdempotentInPhases()
  @ApiKeyAuth('webhooks:write')
  @RespondsWith(TestedWebhookDto, 'The webhook, and the event.', {
    errors: ['webhook_not_found', 'webhook_disabled'],
  })
  testWebhook(
    @Caller() caller: Principal,
    @Body() { webhook_id }: TestWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Phases<void, { webhook: WebhookDto; version: number }, Envelope<TestedWebhookDto>> {
    const gone = goneSignal(reply);
    return {
      // The event has no identifier until it is numbered: until then, its version stands for it.
      work: async () => {
        const webhook = await this.webhooks.test(caller, webhook_id);
        return { webhook: WebhookDto.from(webhook), version: webhook.version };
      },
      respond: async ({ webhook, version }) => {
        const event_id = await this.tests.eventId(caller.callerId, webhook_id, version, gone);
        return success('A test event is on its way.', { ...webhook, event_id });
      },
    };
  }
}
