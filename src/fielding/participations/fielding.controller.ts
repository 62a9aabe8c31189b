import { Body, Controller, Get, Post, Query, UseFilters } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { GuardrailWatcher } from '../../campaigns/guardrail/guardrail-watcher.service';
import { actorOf, Caller, Principal } from '../../platform/caller/principal';
import { printId, storedId } from '../../platform/database/identifiers';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { PlatformAuth } from '../../access/platform-key/platform-key.guard';
import { QualityDto } from '../quality/quality.dto';
import { AnswerErrorsFilter } from './answer-errors.filter';
import { paidScreenOut, PaidScreenOut } from '../../campaigns/targeting/targeting.errors';
import { BEGIN_EXAMPLES } from './begin.examples';
import { Beginning } from './beginning.service';
import { CampaignOwners } from './campaign-owners.service';
import {
  AbandonDto,
  BeginDto,
  BegunParticipationDto,
  ParticipationStateDto,
  SubmitDto,
  SubmittedParticipationDto,
} from './fielding.dto';
import { FieldingListBodyDto, FieldingListQueryDto, FieldingPageDto } from './fielding-list.dto';
import { FieldingListService } from './fielding-list.service';
import { ParticipationSteps } from './participation-steps.service';
import { ParticipationsService, PinnedParticipation } from './participations.service';
import { receiptContent, ReceiptsService, Submitted } from './receipts.service';

@ApiTags('Fielding')
@Controller('svc/fielding')
export class FieldingController {
  constructor(
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
    private readonly beginning: Beginning,
    private readonly steps: ParticipationSteps,
    private readonly guardrails: GuardrailWatcher,
    private readonly lists: FieldingListService,
    private readonly receipts: ReceiptsService,
  ) {}

  /**
   * List campaigns for a respondent
   *
   * @remarks Live campaigns of all companies that the respondent has not begun and that have a place
   * left, newest first, up to a second old; for a test key, its own test campaigns, as they are now. A page
   * looks at no more than 2,000 live campaigns of each type, so it can be short or empty although
   * `next_cursor` is set: continue until `next_cursor` is `null`.
   */
  @Get('list')
  @PlatformAuth('fielding:read')
  @RespondsWith(FieldingPageDto, 'A page of the campaigns that the respondent can begin.', {
    input: 'parameters',
  })
  async listFielding(
    @Caller() caller: Principal,
    @Query() query: FieldingListQueryDto,
  ): Promise<Envelope<FieldingPageDto>> {
    const page = await this.lists.list(caller, query);
    return success('Campaigns for the respondent listed.', FieldingPageDto.from(page));
  }

  /**
   * List campaigns for a respondent with attributes
   *
   * @remarks Like `GET /svc/fielding/list`, but leaves out what the respondent would be refused for by
   * screening and quotas. The attributes are in the body, because URLs are written to the logs of
   * proxies.
   */
  @Post('list')
  @IdempotentInPhases()
  @PlatformAuth('fielding:read')
  @RespondsWith(FieldingPageDto, 'A page of the campaigns that ask the respondent.')
  listFieldingFor(
    @Caller() caller: Principal,
    @Body() { supports, attributes, ...query }: FieldingListBodyDto,
  ): Phases<FieldingPageDto, FieldingPageDto, Envelope<FieldingPageDto>> {
    const words = supports && { supports: supports.join(',') };
    return {
      // It shares what others read, and needs no transaction.
      prepare: async () =>
        FieldingPageDto.from(await this.lists.list(caller, { ...query, ...words }, attributes)),
      work: (page) => Promise.resolve(page),
      respond: (page) => success('Campaigns that ask the respondent listed.', page),
    };
  }

  /**
   * Begin a campaign
   *
   * @remarks Takes a place for the respondent until `expires_at`, and holds the largest of the five
   * rewards. What was promised does not change any more: the questions and the rewards stay those of
   * the beginning. A respondent who has begun the campaign before gets the same participation again,
   * whatever the `attributes` are then.
   *
   * `screening_answers` are compared first, before anything is held. A respondent whose answers do not
   * qualify gets 422 `screened_out`; if the campaign pays for that, `error.reward` is what the respondent
   * was paid, once, whatever is repeated.
   */
  @Post('begin')
  @IdempotentInPhases()
  @PlatformAuth('fielding:write')
  // A character of an answer can take 12 bytes.
  @BodyLimit(2 * MIB)
  @ApiBody({ type: BeginDto, examples: BEGIN_EXAMPLES })
  @RespondsWith(BegunParticipationDto, 'The participation, with what to show.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'campaign_not_live',
      'campaign_completed',
      'fully_held',
      'balance_low',
      'screened_out',
      'quota_full',
      'pace_reached',
      'not_supported',
    ],
  })
  beginParticipation(
    @Caller() caller: Principal,
    @Body() request: BeginDto,
  ): Phases<void, string | PaidScreenOut, Envelope<BegunParticipationDto>> {
    return {
      companyId: () => this.owners.companyOf(caller, request.post_id),
      // So that nobody begins a campaign that a guardrail is about to stop. It may take its time,
      // and needs no transaction.
      prepare: async () => {
        const companyId = await this.owners.companyOf(caller, request.post_id);
        if (companyId !== undefined) {
          await this.guardrails.settle(companyId);
        }
      },
      work: async () => {
        const fielded = await this.owners.find(caller, request.post_id);
        const { respondent_id } = request;
        const begun = await this.beginning.begin(fielded, respondent_id, actorOf(caller), request);
        return 'id' in begun ? printId('part', begun.id) : begun.screenedOut;
      },
      // What to show can be two megabytes.
      respond: async (begun) => {
        if (typeof begun !== 'string') {
          throw paidScreenOut(begun);
        }
        const fielded = await this.owners.find(caller, request.post_id);
        const participationId = storedId('part', begun);
        const { language } = request;
        const shown = await this.participations.findShown(fielded, participationId, language);
        const response = BegunParticipationDto.from(shown);
        const isOpen = response.status === 'open';
        return success(
          isOpen ? 'Participation begun.' : `Participation is ${response.status}.`,
          response,
        );
      },
    };
  }

  /**
   * Submit answers
   *
   * @remarks The attention score decides the cohort and the reward: 0 up to 2 is cohort 1, 2 up to 4 is
   * cohort 2, and so on; 8 to 10 is cohort 5. The same submission again returns the same result; the
   * order of the answers, and that of the options in one, does not matter.
   */
  @Post('submit')
  @IdempotentInPhases()
  @UseFilters(AnswerErrorsFilter)
  @BodyLimit(2 * MIB)
  @PlatformAuth('fielding:write')
  @RespondsWith(SubmittedParticipationDto, 'What the respondent earned.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'participation_not_found',
      'participation_closed',
    ],
  })
  submitParticipation(
    @Caller() caller: Principal,
    @Body() request: SubmitDto,
  ): Phases<void, Submitted, Envelope<SubmittedParticipationDto>> {
    const find = async () => {
      const fielded = await this.owners.find(caller, request.post_id);
      const id = storedId('part', request.participation_id);
      return { fielded, found: await this.participations.findPinned(fielded, id) };
    };
    let fresh: PinnedParticipation | undefined;
    return {
      companyId: () => this.owners.companyOf(caller, request.post_id),
      work: async () => {
        const { fielded, found } = await find();
        fresh = await this.steps.submit(fielded, found, request, actorOf(caller));
        return { status: fresh.status, content: receiptContent(fresh) };
      },
      // An erasure removes the signals of quality, so they are not recorded.
      respond: async (submitted) => {
        const receipt = this.receipts.sign(submitted.content);
        const { participation } = fresh ?? (await find()).found;
        const quality = QualityDto.from(participation);
        const data = SubmittedParticipationDto.of(submitted, receipt, quality);
        return success('Answers submitted.', data);
      },
    };
  }

  /**
   * Abandon a participation
   *
   * @remarks Gives the place and the money back, so that another respondent can begin. The respondent
   * cannot begin this campaign again.
   */
  @Post('abandon')
  @IdempotentInPhases()
  @PlatformAuth('fielding:write')
  @RespondsWith(ParticipationStateDto, 'The participation, given up.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'participation_not_found',
      'participation_closed',
    ],
  })
  abandonParticipation(
    @Caller() caller: Principal,
    @Body() request: AbandonDto,
  ): Phases<void, ParticipationStateDto, Envelope<ParticipationStateDto>> {
    return {
      companyId: () => this.owners.companyOf(caller, request.post_id),
      work: async () => {
        const fielded = await this.owners.find(caller, request.post_id);
        const id = storedId('part', request.participation_id);
        const found = await this.participations.find(fielded, id);
        return ParticipationStateDto.from(await this.steps.abandon(fielded, found));
      },
      respond: (abandoned) => success('Participation abandoned.', abandoned),
    };
  }
}
