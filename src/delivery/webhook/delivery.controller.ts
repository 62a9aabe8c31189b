import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Caller, Principal } from '../../platform/caller/principal';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  DeliveryListQueryDto,
  DeliveryPageDto,
  REPLAY_EXAMPLES,
  ReplayWebhookDto,
  WebhookReplayDto,
} from './delivery.dto';
import { DeliveryService } from './delivery.service';
import { WebhookPathDto } from './webhook.dto';

@ApiTags('Webhooks')
@Controller('svc/webhook')
export class DeliveryController {
  constructor(private readonly deliveries: DeliveryService) {}

  /**
   * List the deliveries of a webhook
   *
   * @remarks Latest event first, each with its attempts. Finished deliveries are kept for 30 days.
   */
  @Get(':webhook_id/deliveries')
  @ApiKeyAuth('webhooks:read')
  @RespondsWith(DeliveryPageDto, 'A page of the deliveries.', {
    input: 'parameters',
    errors: ['webhook_not_found'],
  })
  async listWebhookDeliveries(
    @Caller() { callerId: companyId }: Principal,
    @Param() { webhook_id }: WebhookPathDto,
    @Query() query: DeliveryListQueryDto,
  ): Promise<Envelope<DeliveryPageDto>> {
    const page = await this.deliveries.list(companyId, webhook_id, query);
    return success('Deliveries listed.', DeliveryPageDto.from(page));
  }

  /**
   * Send events to a webhook again
   *
   * @remarks Exactly one of `event_id`, `after_seq` and `failed_since` says which. The messages have
   * the same `webhook-id` as before. The API key also needs the scope `events:read`.
   */
  @Post('replay')
  @Idempotent()
  @ApiKeyAuth('webhooks:write', 'events:read')
  @ApiBody({ type: ReplayWebhookDto, examples: REPLAY_EXAMPLES })
  @RespondsWith(WebhookReplayDto, 'How much is sent again.', {
    errors: [
      'webhook_not_found',
      'event_not_found',
      'feed_position_expired',
      'feed_position_unknown',
      'webhook_disabled',
    ],
  })
  async replayWebhook(
    @Caller() { callerId: companyId }: Principal,
    @Body() request: ReplayWebhookDto,
  ): Promise<Envelope<WebhookReplayDto>> {
    const { deliveries, hasMore } = await this.deliveries.replay(companyId, request);
    return success('The events are on their way.', {
      webhook_id: request.webhook_id,
      deliveries,
      has_more: hasMore,
    });
  }
}
