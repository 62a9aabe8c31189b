import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { PublicRoute } from '../../platform/caller/public-route';
import { actorOf, Caller, Principal } from '../../platform/caller/principal';
import { storedId } from '../../platform/database/identifiers';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { CanFailWith, RespondsWith } from '../../platform/openapi/responds-with';
import { PlatformAuth } from '../../access/platform-key/platform-key.guard';
import { CampaignOwners } from './campaign-owners.service';
import { ErasureService } from './erasure.service';
import {
  ErasedRespondentDto,
  EraseRespondentDto,
  ReverseDto,
  ReversedParticipationDto,
} from './fielding.dto';
import { ReceiptKeysDto } from './receipt-keys.dto';
import { ParticipationSteps } from './participation-steps.service';
import { ParticipationsService } from './participations.service';
import { ReceiptsService } from './receipts.service';

@ApiTags('Fielding')
@Controller('svc/fielding')
export class CorrectionsController {
  constructor(
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
    private readonly steps: ParticipationSteps,
    private readonly erasures: ErasureService,
    private readonly receipts: ReceiptsService,
  ) {}

  /**
   * Reverse a reward
   *
   * @remarks Takes the reward of a submitted participation back into the campaign's budget, by a
   * transfer of its own. The response still counts towards `max_responses`. Reversing again returns the
   * same result.
   */
  @Post('reverse')
  @Heavy()
  @IdempotentInPhases()
  @PlatformAuth('fielding:write')
  @RespondsWith(ReversedParticipationDto, 'The participation, with what was taken back.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'participation_not_found',
      'participation_not_submitted',
    ],
  })
  reverseParticipation(
    @Caller() caller: Principal,
    @Body() request: ReverseDto,
  ): Phases<void, ReversedParticipationDto, Envelope<ReversedParticipationDto>> {
    return {
      companyId: () => this.owners.companyOf(caller, request.post_id),
      work: async () => {
        const { post_id, participation_id, reason } = request;
        const fielded = await this.owners.find(caller, post_id);
        const found = await this.participations.find(fielded, storedId('part', participation_id));
        const reversed = await this.steps.reverse(fielded, found, reason, actorOf(caller));
        return ReversedParticipationDto.from(reversed);
      },
      respond: (reversed) => success('Reward reversed.', reversed),
    };
  }

  /**
   * Erase a respondent
   *
   * @remarks Deletes the respondent's answers and identity in all campaigns, and gives back the places
   * that the respondent holds. Amounts stay. The service does not know the respondent afterwards, so
   * it cannot tell that the same person begins a campaign again.
   */
  @Post('erase-respondent')
  @Heavy()
  @IdempotentInPhases()
  @PlatformAuth('fielding:write')
  @RespondsWith(ErasedRespondentDto, 'How much was erased.')
  eraseRespondent(
    @Caller() caller: Principal,
    @Body() { respondent_id }: EraseRespondentDto,
  ): Phases<number, ErasedRespondentDto, Envelope<ErasedRespondentDto>> {
    return {
      // Transactions of their own, company by company, and none around them all.
      prepare: () => this.erasures.erase(caller, respondent_id),
      work: (participations) => Promise.resolve({ participations }),
      respond: (erased) => success('Respondent erased.', erased),
    };
  }

  /**
   * Read the receipt keys
   *
   * @remarks The public keys that receipts can be checked with, as a JSON Web Key Set (RFC 7517).
   */
  @Get('receipt-keys')
  @PublicRoute()
  @CanFailWith('rate_limited')
  @RespondsWith(ReceiptKeysDto, 'The public keys.', { input: 'parameters' })
  getReceiptKeys(): Envelope<ReceiptKeysDto> {
    return success('Receipt keys found.', { keys: [this.receipts.publicKey] });
  }
}
