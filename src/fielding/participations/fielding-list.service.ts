import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Campaign } from '../../campaigns/campaign/campaign.entity';
import { CAMPAIGN_TYPES } from '../../campaigns/campaign/campaign.types';
import { cutPage, Page, readCursor, writeCursor } from '../../platform/protocol/cursor';
import type { Principal } from '../../platform/caller/principal';
import { couldBegin } from '../../campaigns/targeting/admission.rules';
import type { QuestionType } from '../../campaigns/questions/question.types';
import { unsupportedTypes } from '../../campaigns/targeting/screening-questions.rules';
import type { Attributes } from '../../campaigns/targeting/targeting.types';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { platformOf } from './campaign-owners.service';
import { CampaignWalk } from './campaign-walk';
import { FieldingListQueryDto, ListedCampaign } from './fielding-list.dto';
import { FieldingKeys } from './fielding-keys.service';
import { LiveCampaigns } from './live-campaigns.service';
import { RespondentHistory } from './respondent-history.service';
import { fromSortKey, NEWEST, positionOf, toSortKey } from './position.rules';

/** How many live campaigns of each type one page looks at, whatever it skips. */
const LOOKED_AT_MAXIMUM = 2_000;

/**
 * Which of some campaigns a respondent has begun. A cluster asks the shards of their companies
 * only. The range bounds what is read of the index: PostgreSQL may compare the list of campaigns
 * with everything that the respondent has begun, and its statistics do not know who has begun
 * thousands.
 */
const BEGUN = `
  SELECT campaign_id FROM participation
  WHERE respondent = $1 AND company_id = ANY ($2::uuid[]) AND campaign_id = ANY ($3::bigint[])
    AND campaign_id BETWEEN $4::bigint AND $5::bigint`;

/** Which of some campaigns ask questions of other types than those that a platform can show. */
const UNSUPPORTED = `
  SELECT c.id FROM campaign AS c
  JOIN question_set AS q ON q.company_id = c.company_id AND q.campaign_id = c.id
    AND q.version = c.question_set_version
  WHERE c.company_id = ANY ($1::uuid[]) AND c.id = ANY ($2::bigint[]) AND NOT q.types <@ to_jsonb($3::text[])`;

@Injectable()
export class FieldingListService {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly live: LiveCampaigns,
    private readonly keys: FieldingKeys,
    private readonly history: RespondentHistory,
  ) {}

  /**
   * Returns a page of the live campaigns that a respondent can begin: those of all companies for a
   * platform, up to a second old; those of its own for a test key, as they are now. What the
   * respondent has begun is left out at once. It looks at a limited number of campaigns, so the
   * page can be short or empty although there are more.
   *
   * @param attributes of the respondent; without them, campaigns that ask for some are left out
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    caller: Principal,
    { respondent_id, type, supports, limit = PAGE_LIMIT_DEFAULT, cursor }: FieldingListQueryDto,
    attributes: Attributes = {},
  ): Promise<Page<ListedCampaign>> {
    const respondent = this.keys.hashRespondent(platformOf(caller), respondent_id);
    const list = {
      respondent: respondent.toString('hex'),
      type,
      ...(supports === undefined ? {} : { supports }),
    };
    const position =
      cursor === undefined ? NEWEST : fromSortKey(readCursor(cursor, list, ['number', 'number']));
    const screening = new Map<string, ListedCampaign['screening']>();
    const shown = supports?.split(',') as QuestionType[] | undefined;
    const walk = new CampaignWalk(
      this.sourcesOf(caller, type),
      position,
      LOOKED_AT_MAXIMUM,
      ({ campaign, target }) => {
        if (target === undefined) {
          return true;
        }
        const { rules, full, isPaying } = target;
        const { screening_questions: questions, screen_out_reward: reward } = rules.targeting;
        if (questions.length > 0) {
          screening.set(campaign.id, { questions, reward: isPaying ? reward : null });
        }
        return (
          couldBegin(rules, full, attributes) &&
          (shown === undefined || unsupportedTypes(rules.targeting, shown).length === 0)
        );
      },
    );
    const listed = (page: Page<Campaign>): Page<ListedCampaign> => ({
      ...page,
      items: page.items.map((campaign) => ({ campaign, screening: screening.get(campaign.id) })),
    });
    const items: Campaign[] = [];
    // Most respondents have begun few of the newest campaigns, and each one more may be another
    // shard of a cluster.
    for (let factor = 1; ; factor *= 2) {
      const candidates = await walk.next(factor * (limit + 1 - items.length));
      if (candidates.length === 0) {
        return listed({ items, nextCursor: walk.end && writeCursor(toSortKey(walk.end), list) });
      }
      const fresh = await this.notBegun(respondent, candidates);
      const open = await this.history.asking(respondent, fresh);
      items.push(...(supports === undefined ? open : await this.supported(supports, open)));
      if (items.length > limit) {
        const sortKey = (campaign: Campaign) => toSortKey(positionOf(campaign));
        return listed(cutPage(items, limit, sortKey, list));
      }
    }
  }

  private sourcesOf(
    { callerId, platform }: Principal,
    type: FieldingListQueryDto['type'],
  ): ConstructorParameters<typeof CampaignWalk>[0] {
    const types = CAMPAIGN_TYPES.filter((each) => type === undefined || each === type);
    return platform === undefined
      ? [(start) => this.live.ofCompany(callerId, types, start)]
      : types.map((each) => (start) => this.live.ofAll(each, start));
  }

  private async supported(
    supports: string,
    candidates: readonly Campaign[],
  ): Promise<readonly Campaign[]> {
    if (candidates.length === 0) {
      return [];
    }
    const rows = await this.campaigns.query<{ id: string }[]>(UNSUPPORTED, [
      [...new Set(candidates.map(({ companyId }) => companyId))],
      candidates.map(({ id }) => id),
      supports.split(','),
    ]);
    const unsupported = new Set(rows.map(({ id }) => id));
    return candidates.filter(({ id }) => !unsupported.has(id));
  }

  private async notBegun(respondent: Buffer, candidates: readonly Campaign[]): Promise<Campaign[]> {
    const ids = candidates.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    const rows = await this.campaigns.query<{ campaign_id: string }[]>(BEGUN, [
      respondent,
      [...new Set(candidates.map(({ companyId }) => companyId))],
      ids,
      ids[0],
      ids.at(-1),
    ]);
    const begun = new Set(rows.map(({ campaign_id }) => campaign_id));
    return candidates.filter(({ id }) => !begun.has(id));
  }
}
