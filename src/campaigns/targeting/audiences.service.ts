import { Injectable } from '@nestjs/common';
import { CampaignService } from '../campaign/campaign.service';
import type { StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError, fieldError } from '../../platform/protocol/api-error';
import { ALL, Audience, Targeting } from './targeting.types';

const FIND = 'SELECT id, post_id FROM campaign WHERE company_id = $1 AND post_id = ANY ($2)';

/** Looks up the campaigns that rules name. They are never deleted. */
@Injectable()
export class Audiences {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Returns what the rules of a campaign say about what respondents have done; `null` if nothing.
   *
   * @param parent where the rules are in the request
   * @throws ApiError `validation_failed` if the campaign names itself, or `campaign_not_found` or
   *   `campaign_not_owned`, with the path of the campaign
   */
  async of(
    companyId: StoredId,
    postId: string,
    { exclude, include, at_most }: Targeting,
    parent: string,
  ): Promise<Audience | null> {
    if (exclude === null && include === null && at_most === null) {
      return null;
    }
    const excluded = exclude === null || exclude.campaigns === ALL ? null : exclude.campaigns;
    const named = [
      ...(excluded ?? []).map((id, index) => [id, `${parent}exclude.campaigns[${index}]`] as const),
      ...(include === null ? [] : [[include.campaign, `${parent}include.campaign`] as const]),
    ];
    const ids = await this.find(companyId, postId, new Map(named.toReversed()));
    const numberOf = (id: string) => ids.get(id) ?? 0;
    return {
      exclude: exclude && {
        campaigns: excluded?.map(numberOf) ?? null,
        days: exclude.within_days ?? null,
      },
      include: include && {
        campaign: numberOf(include.campaign),
        cohorts: include.cohorts ?? null,
      },
      at_most: at_most && { responses: at_most.responses, days: at_most.per_days },
    };
  }

  /** Returns the numbers of campaigns, which are given with their paths. */
  private async find(
    companyId: StoredId,
    postId: string,
    named: ReadonlyMap<string, string>,
  ): Promise<Map<string, number>> {
    const itself = named.get(postId);
    if (itself !== undefined) {
      throw fieldError(itself, 'not_allowed', `${itself} must be another campaign.`);
    }
    const found = new Map<string, number>();
    if (named.size > 0) {
      const rows = await this.transaction.manager.query<{ id: string; post_id: string }[]>(FIND, [
        companyId,
        [...named.keys()],
      ]);
      for (const { id, post_id } of rows) {
        found.set(post_id, Number(id));
      }
    }
    for (const [id, field] of named) {
      if (!found.has(id)) {
        const { code } = await this.campaigns.whyNotFound(companyId, id);
        const message = `${field} must be the post_id of a campaign of yours.`;
        throw new ApiError(code, message, [{ field, code: 'not_allowed', message }]);
      }
    }
    return found;
  }
}
