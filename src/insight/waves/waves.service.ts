import { Injectable } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { ResultsTurns } from '../results/results-turns.service';
import { ResultsService } from '../results/results.service';
import type { CampaignResults } from '../results/results.types';
import { COMPARED_MAXIMUM, WaveDto, WavesDto, WavesQueryDto } from './waves.dto';
import { compareWaves } from './waves.rules';

@Injectable()
export class WavesService {
  constructor(
    private readonly results: ResultsService,
    private readonly turns: ResultsTurns,
  ) {}

  /**
   * Compares the results of two campaigns of a company.
   *
   * @param gone ends the work
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`, also of the other campaign, or
   *   `request_timeout` or `service_unavailable` if it was interrupted
   */
  async read(
    companyId: StoredId,
    postId: string,
    { compare, ...query }: WavesQueryDto,
    gone: AbortSignal,
  ): Promise<WavesDto> {
    const current = await this.results.count(companyId, postId, query, gone);
    const earlier = await this.results.count(companyId, compare, query, gone);
    const compared = await this.turns.collect(compareWaves(current, earlier), gone);
    const questions = compared.slice(0, COMPARED_MAXIMUM);
    return { current: waveOf(current), earlier: waveOf(earlier), questions };
  }
}

const waveOf = ({ postId, version, asOfSeq, asOf, tallied }: CampaignResults): WaveDto => ({
  post_id: postId,
  version,
  as_of_seq: asOfSeq,
  as_of: asOf,
  counted: tallied.count('counted'),
});
