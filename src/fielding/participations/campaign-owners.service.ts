import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { campaignNotFound } from '../../campaigns/campaign/campaign.errors';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { OwnedCampaign, PostIds } from '../../campaigns/campaign/post-ids.service';
import { modeOf, printEnvironment } from '../../platform/caller/environment.rules';
import type { Principal } from '../../platform/caller/principal';
import type { StoredId } from '../../platform/database/identifiers';

/** Campaigns that are remembered, at about 200 bytes each. */
const MAXIMUM = 20_000;

/** A campaign that the caller may bring respondents to. */
export interface Fielded extends OwnedCampaign {
  postId: string;
  /** Whose respondents they are, by {@link platformOf}. */
  platform: string;
}

/** Whose respondents a caller's are: the name of a platform, or the environment of a test key. */
export function platformOf({ callerId, platform }: Principal): string {
  return platform ?? printEnvironment(callerId);
}

/**
 * Finds whose campaign a post_id names, and its currency. Neither ever changes, so each process
 * remembers them, which saves two statements.
 */
@Injectable()
export class CampaignOwners {
  private readonly owned = new LRUCache<string, OwnedCampaign>({ max: MAXIMUM });

  constructor(
    private readonly campaigns: CampaignService,
    private readonly postIds: PostIds,
  ) {}

  /**
   * Returns a campaign: a live one of any company for a platform, one of its own for a test key.
   *
   * @throws ApiError `campaign_not_found`, or `campaign_not_owned` for a test key
   */
  async find(caller: Principal, postId: string): Promise<Fielded> {
    const platform = platformOf(caller);
    if (caller.platform === undefined) {
      const { callerId: companyId } = caller;
      const { id, currency } = await this.campaigns.findOwned(companyId, postId);
      return { postId, companyId, campaignId: id, currency, platform };
    }
    const { companyId, campaignId, currency } = await this.findLive(postId);
    return { postId, companyId, campaignId, currency, platform };
  }

  /** Returns whose campaign a post_id may name; `undefined` if there is no such campaign. */
  async companyOf(caller: Principal, postId: string): Promise<StoredId | undefined> {
    return caller.platform === undefined ? caller.callerId : (await this.lookUp(postId))?.companyId;
  }

  private async findLive(postId: string): Promise<OwnedCampaign> {
    const owned = await this.lookUp(postId);
    if (owned === undefined) {
      throw campaignNotFound();
    }
    return owned;
  }

  private async lookUp(postId: string): Promise<OwnedCampaign | undefined> {
    return this.owned.get(postId) ?? (await this.read(postId));
  }

  private async read(postId: string): Promise<OwnedCampaign | undefined> {
    const owned = await this.postIds.find(postId);
    if (owned === undefined || modeOf(owned.companyId) === 'test') {
      return undefined;
    }
    this.owned.set(postId, owned);
    return owned;
  }
}
