import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { printEnvironment } from '../../platform/caller/environment.rules';
import { FIRST_STORED_ID, StoredId } from '../../platform/database/identifiers';
import { OneByOne } from '../../platform/limits/turns';
import { serviceUnavailable } from '../../platform/protocol/api-error';
import { FoldService } from '../results/fold.service';
import { ResultsTurns } from '../results/results-turns.service';
import { describeDifference, describePlatform } from './describe-platform.rules';
import { PLATFORMS_MAXIMUM, PlatformScoresListDto } from './platform-scores.dto';
import {
  addScores,
  differencesOf,
  PlatformSums,
  ScoreSums,
  sumsWith,
} from './platform-scores.rules';
import { CAMPAIGN, LOOK, nextScores, STATE } from './platform-scores.statements';

interface CampaignRow {
  id: string;
  currency: string;
  is_checked: boolean;
}

interface StateRow {
  folded_seq: string;
  as_of: Date;
  state: string;
}

interface NextRow {
  looked: number;
  last: StoredId | null;
  rows: ScoreSums[];
}

/** What the responses of a campaign added up to, and in which state. */
interface Kept {
  state: string;
  sums: readonly PlatformSums[];
}

/** Campaigns whose last sums are kept. */
const KEPT = 50;

/** Milliseconds that one request may read participations, without its waits for others. */
const PATIENCE = 60_000;

/**
 * Compares what platforms say of their respondents. It reads the stored responses, a portion at a
 * time, and keeps what they add up to until a response is added, reversed or erased.
 */
@Injectable()
export class PlatformScoresService {
  private readonly kept = new LRUCache<string, Kept>({ max: KEPT });
  /** One request at a time reads a portion, on one connection for all. */
  private readonly steps = new OneByOne();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly campaigns: CampaignService,
    private readonly fold: FoldService,
    private readonly turns: ResultsTurns,
  ) {}

  /**
   * @param gone ends the work
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, or `request_timeout` or
   *   `service_unavailable` if it was interrupted or took too long
   */
  async read(
    companyId: StoredId,
    postId: string,
    gone: AbortSignal,
  ): Promise<PlatformScoresListDto> {
    const found = await this.fold.catchUp(companyId, async (manager) => {
      const [campaign] = await manager.query<(CampaignRow | undefined)[]>(CAMPAIGN, [
        companyId,
        postId,
      ]);
      if (campaign === undefined) {
        return undefined;
      }
      // Folding has given the company a position.
      const [state] = await manager.query<[StateRow]>(STATE, [companyId, campaign.id]);
      return { campaign, state };
    });
    if (found === undefined) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const { campaign, state } = found;
    const sums = await this.sumsOf(companyId, campaign, state.state, gone);
    const { adjustedFor, differences, responses } = differencesOf(sums);
    return {
      post_id: postId,
      as_of_seq: Number(state.folded_seq),
      as_of: state.as_of,
      currency: campaign.currency,
      adjusted_for: adjustedFor,
      items: sums.slice(0, PLATFORMS_MAXIMUM).map((each, index) => {
        const difference = describeDifference(differences[index] ?? null, responses[index] ?? 0);
        return describePlatform(each, difference, campaign.currency);
      }),
    };
  }

  /** What the responses of each platform add up to, those with the most responses first. */
  private async sumsOf(
    companyId: StoredId,
    { id, is_checked }: CampaignRow,
    state: string,
    gone: AbortSignal,
  ): Promise<readonly PlatformSums[]> {
    const key = `${printEnvironment(companyId)} ${id}`;
    const kept = this.kept.get(key);
    if (kept?.state === state) {
      return kept.sums;
    }
    const sums = await this.readAll(companyId, id, is_checked, gone);
    this.kept.set(key, { state, sums });
    return sums;
  }

  private async readAll(
    companyId: StoredId,
    campaignId: string,
    isChecked: boolean,
    gone: AbortSignal,
  ): Promise<readonly PlatformSums[]> {
    const statement = nextScores(isChecked);
    const platforms = new Map<string, PlatformSums>();
    let spent = 0;
    const step = async (after: StoredId): Promise<StoredId | null> => {
      await this.turns.next(gone);
      const begun = performance.now();
      const [row] = await this.dataSource.query<NextRow[]>(statement, [
        companyId,
        campaignId,
        after,
      ]);
      addScores(platforms, row?.rows ?? []);
      spent += performance.now() - begun;
      return row?.looked === LOOK ? row.last : null;
    };
    for (let at: StoredId | null = FIRST_STORED_ID; at !== null;) {
      const after: StoredId = at;
      at = await this.steps.run(() => step(after));
      if (spent > PATIENCE) {
        throw serviceUnavailable(
          'The campaign has too many responses to compare them in one request.',
        );
      }
    }
    const count = (each: PlatformSums) => sumsWith(each, []).n;
    return [...platforms.values()].sort((a, b) => count(b) - count(a));
  }
}
