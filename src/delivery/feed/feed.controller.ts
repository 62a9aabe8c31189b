import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CredentialKeysService } from '../../access/credential-keys/credential-keys.service';
import type { EventType } from '../../platform/event/event.types';
import { aboutSubject } from '../../platform/event/subject.rules';
import { refuseMissingScopes } from '../../platform/caller/credential';
import { OutsideShares } from '../../platform/limits/connection-shares';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { Caller, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  EventDto,
  EventListQueryDto,
  EventPageDto,
  EventPathDto,
  FEED_LIMIT_DEFAULT,
} from './feed.dto';
import { FeedService } from './feed.service';

@ApiTags('Events')
@Controller('svc/event')
export class FeedController {
  constructor(
    private readonly feed: FeedService,
    private readonly keys: CredentialKeysService,
  ) {}

  /**
   * Read events
   *
   * @remarks Every change of your company's campaigns and API keys, and what happened to its
   * webhooks, oldest first. Events are numbered 1, 2, 3 and so on, in an order that never changes.
   * `covers` is the stretch of numbers that a page accounts for: continue with `covers.to` as
   * `after`, and you miss nothing. With filters, a page can be empty although `has_more` is true.
   * `wait_seconds` holds the request until there is an event. What a guardrail measured is left out
   * unless the API key also has the scope `responses:read`.
   */
  @Get('list')
  @OutsideShares()
  @ApiKeyAuth('events:read')
  @RespondsWith(EventPageDto, "A page of your company's events.", {
    input: 'parameters',
    errors: [
      'feed_position_unknown',
      'feed_position_expired',
      'campaign_not_found',
      'campaign_not_owned',
    ],
  })
  async listEvents(
    @Caller() caller: Principal,
    @Query()
    {
      after = 0,
      types,
      subject,
      post_id: postId,
      limit = FEED_LIMIT_DEFAULT,
      wait_seconds: waitSeconds = 0,
    }: EventListQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<EventPageDto>> {
    const filter = aboutSubject(types?.split(',') as EventType[] | undefined, subject);
    const query = { after, ...filter, postId, limit, waitSeconds };
    const page = await this.feed.read(caller.callerId, query, goneSignal(reply));
    let reader = caller;
    if (page.waited) {
      // The key may have been revoked or lost its scope meanwhile, by another process too.
      const { headers, routeOptions } = reply.request;
      reader = await this.keys.authenticate(headers, { fresh: true });
      refuseMissingScopes(reader, routeOptions.config);
    }
    return success('Events listed.', EventPageDto.from(page, reader));
  }

  /**
   * Read an event
   *
   * @remarks As the feed has it, unless the operator has moved it to an archive.
   */
  @Get(':event_id')
  @ApiKeyAuth('events:read')
  @RespondsWith(EventDto, 'The event.', { input: 'parameters', errors: ['event_not_found'] })
  async getEvent(
    @Caller() caller: Principal,
    @Param() { event_id }: EventPathDto,
  ): Promise<Envelope<EventDto>> {
    const event = await this.feed.find(caller.callerId, event_id);
    return success('Event found.', EventDto.shownTo(caller, event));
  }
}
