import { Injectable } from '@nestjs/common';
import { SPENDING_ERRORS } from '../../access/api-key/spending.errors';
import { requireMinorUnit } from '../../access/company/currency.field';
import { CampaignService } from '../campaign/campaign.service';
import { versionConflict } from '../campaign/campaign.errors';
import { DueCampaignsService } from '../campaign/due-campaigns.service';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newStoredId, StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import { acceptedVersions, ExpectedVersions, isExpected } from '../../platform/protocol/etag';
import { actorOf, currencyOf, Principal } from '../../platform/caller/principal';
import { Audiences } from './audiences.service';
import { quotaBelowTaken, tooManyQuotas } from './targeting.errors';
import { EVERYBODY, RefusalReason, Targeting } from './targeting.types';

const REPLACE = `
  SELECT campaign_of, below, rules, campaign_version
  FROM replace_targeting($1, $2, $3, $4::integer[], $5::jsonb, $6::jsonb, $7::text[],
    $8::integer[], $9::uuid[])`;

const READ = `
  SELECT c.id, c.version AS "campaignVersion", t.version, t.content
  FROM campaign AS c
  LEFT JOIN targeting AS t ON t.company_id = $1 AND t.campaign_id = c.id
    AND t.version = c.targeting_version
  WHERE c.company_id = $1 AND c.post_id = $2`;

const CELLS = `
  SELECT c.id, c.version AS "campaignVersion", t.version, t.content,
    (
      SELECT coalesce(json_agg(json_build_object('quota_id', q.quota_id, 'name', q.name,
        'maximum', q.maximum, 'taken', g.taken[q.cell], 'submitted', q.submitted)), '[]')
      FROM quota_cell AS q
      JOIN cell_counts AS g ON g.company_id = $1 AND g.campaign_id = c.id
      WHERE q.company_id = $1 AND q.campaign_id = c.id AND q.maximum IS NOT NULL
    ) AS cells,
    (
      SELECT coalesce(json_agg(json_build_object('reason', r.reason, 'rule', r.rule,
        'refused', r.refused)), '[]')
      FROM refused_begin AS r WHERE r.company_id = $1 AND r.campaign_id = c.id
    ) AS refused,
    coalesce((
      SELECT recent_begins(b.minute, b.begun, clock_timestamp())::integer FROM begin_pace AS b
      WHERE b.company_id = $1 AND b.campaign_id = c.id
    ), 0) AS begun
  FROM campaign AS c
  LEFT JOIN targeting AS t ON t.company_id = $1 AND t.campaign_id = c.id
    AND t.version = c.targeting_version
  WHERE c.company_id = $1 AND c.post_id = $2`;

interface ReplacedRow {
  campaign_of: string | null;
  below: number[] | null;
  rules: number | null;
  campaign_version: number | null;
}

interface ReadRow {
  id: string;
  campaignVersion: number;
  version: number | null;
  content: Targeting | null;
}

/** A quota that is not removed, and how far it is. */
export interface CellProgress {
  quota_id: StoredId;
  name: string;
  maximum: number;
  taken: number;
  submitted: number;
}

/** The rules of a campaign. */
export interface CampaignTargeting {
  /** `null` if the campaign never had rules. */
  version: number | null;
  targeting: Targeting;
  campaignVersion: number;
}

/** The rules of a campaign with what came of them. */
export interface CampaignQuotas extends CampaignTargeting {
  cells: CellProgress[];
  refused: { reason: RefusalReason; rule: string; refused: number }[];
  /** How many have begun within the last hour; 0 if the campaign never had a pace. */
  begun: number;
}

/** Stores and reads whom campaigns ask. */
@Injectable()
export class TargetingService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly due: DueCampaignsService,
    private readonly sequencer: SequencerService,
    private readonly audiences: Audiences,
  ) {}

  /**
   * Replaces the rules of a campaign. Those who have begun keep the cells that they count in. A
   * quota of the same name keeps its counts.
   *
   * @param parent where the rules are in the request
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `version_conflict`,
   *   `quota_below_taken` or `validation_failed`
   */
  async replace(
    caller: Principal,
    postId: string,
    targeting: Targeting,
    { expected, parent = '' }: { expected?: ExpectedVersions; parent?: string } = {},
  ): Promise<CampaignTargeting> {
    const { callerId: companyId } = caller;
    const { quotas, screen_out_reward } = targeting;
    requireMinorUnit(currencyOf(caller), {
      [`${parent}screen_out_reward`]: screen_out_reward === null ? null : Number(screen_out_reward),
    });
    const audience = await this.audiences.of(companyId, postId, targeting, parent);
    const parameters = [
      companyId,
      postId,
      actorOf(caller),
      acceptedVersions(expected) ?? null,
      JSON.stringify(targeting),
      audience && JSON.stringify(audience),
      quotas.map(({ name }) => name),
      quotas.map(({ limit }) => limit),
      quotas.map(() => newStoredId()),
    ];
    const [{ campaign_of, below, rules, campaign_version }] = await withConstraints(
      () => this.transaction.manager.query<[ReplacedRow]>(REPLACE, parameters),
      { ...SPENDING_ERRORS, quota_cell_number: () => tooManyQuotas(parent) },
    );
    if (campaign_of === null) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    if (below !== null) {
      throw quotaBelowTaken(below, parent);
    }
    if (rules !== null && campaign_version !== null) {
      this.transaction.afterEnd(() => {
        this.sequencer.wake(companyId);
      });
      return { version: rules, targeting, campaignVersion: campaign_version };
    }
    const { id, version } = await this.campaigns.findOwned(companyId, postId);
    if (!isExpected(version, expected)) {
      throw versionConflict();
    }
    // A start or an end has come, which is stored before any other change.
    await this.due.settle(companyId, [id]);
    return this.replace(caller, postId, targeting, { expected, parent });
  }

  /**
   * Returns the rules of a campaign.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async current(companyId: StoredId, postId: string): Promise<CampaignTargeting> {
    return targetingIn(await this.read<ReadRow>(READ, companyId, postId));
  }

  /**
   * Returns the rules of a campaign, how far its quotas are, and how often which rule has refused.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async quotas(companyId: StoredId, postId: string): Promise<CampaignQuotas> {
    type Row = ReadRow & Pick<CampaignQuotas, 'cells' | 'refused' | 'begun'>;
    const row = await this.read<Row>(CELLS, companyId, postId);
    return { ...targetingIn(row), cells: row.cells, refused: row.refused, begun: row.begun };
  }

  private async read<Row extends ReadRow>(
    statement: string,
    companyId: StoredId,
    postId: string,
  ): Promise<Row> {
    const [row] = await this.transaction.manager.query<Row[]>(statement, [companyId, postId]);
    if (row === undefined) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    return row;
  }
}

function targetingIn({ version, content, campaignVersion }: ReadRow): CampaignTargeting {
  return { version, targeting: { ...EVERYBODY, ...content }, campaignVersion };
}
