import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Caller, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { PlatformAuth } from '../../access/platform-key/platform-key.guard';
import {
  ListedParticipationDto,
  ParticipationPathDto,
  ReadParticipationDto,
  RespondentDto,
  RespondentEarningsDto,
  RespondentQueryDto,
} from './participation-read.dto';
import { ParticipationReads } from './participation-reads.service';
import { receiptContent, ReceiptsService } from './receipts.service';

@ApiTags('Fielding')
@Controller('svc/fielding')
export class ParticipationsController {
  constructor(
    private readonly reads: ParticipationReads,
    private readonly receipts: ReceiptsService,
  ) {}

  /**
   * Read a participation
   *
   * @remarks Where a participation of your respondent is in its life, its times, what was promised, and
   * what it earned. Once answers are submitted, `receipt` is the one that the submission returned. A
   * participation of another platform is not found.
   */
  @Get('participation/:participation_id')
  @PlatformAuth('fielding:read')
  @RespondsWith(ReadParticipationDto, 'The participation.', {
    input: 'parameters',
    errors: ['participation_not_found'],
  })
  async getParticipation(
    @Caller() caller: Principal,
    @Param() { participation_id }: ParticipationPathDto,
  ): Promise<Envelope<ReadParticipationDto>> {
    const read = await this.reads.find(caller, participation_id);
    // An erasure leaves the score, the cohort and the reward, which are all that a receipt states.
    const isSubmitted = read.status === 'submitted' || read.status === 'reversed';
    const receipt = isSubmitted ? this.receipts.sign(receiptContent(read)) : null;
    return success('Participation found.', ReadParticipationDto.of(read, receipt));
  }

  /**
   * Read a respondent
   *
   * @remarks What your respondent has begun, the newest campaign first, and what that earned in all.
   * `earnings` is on the first page only, and sums up to 5,000 participations. An erased respondent, and
   * one who has begun nothing, has no participations.
   */
  @Get('respondent')
  @PlatformAuth('fielding:read')
  @RespondsWith(RespondentDto, "A page of the respondent's participations, and the earnings.", {
    input: 'parameters',
  })
  async getRespondent(
    @Caller() caller: Principal,
    @Query() query: RespondentQueryDto,
  ): Promise<Envelope<RespondentDto>> {
    const { items, nextCursor, earnings } = await this.reads.list(caller, query);
    return success('Respondent found.', {
      earnings: earnings === null ? null : RespondentEarningsDto.from(earnings),
      items: items.map((read) => ListedParticipationDto.from(read)),
      next_cursor: nextCursor,
    });
  }
}
