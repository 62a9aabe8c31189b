import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../campaign/campaign.entity';
import type { StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { Audience, EVERYBODY, Rules, Targeting } from './targeting.types';

/** Bytes of rules that are kept. */
const BYTES_MAXIMUM = 16 * 1024 * 1024;

/** Bytes in memory for each byte of JSON, and of rules that are short. */
const BYTES_EACH = 4;
const BYTES_LEAST = 500;

const READ = `
  SELECT t.campaign_id, t.version, t.content, t.cells, t.audience FROM targeting AS t
  WHERE t.company_id = ANY ($1::uuid[]) AND t.campaign_id = ANY ($2::bigint[])
    AND (t.campaign_id, t.version) IN (SELECT * FROM unnest($2::bigint[], $3::integer[]))`;

interface Row {
  campaign_id: string;
  version: number;
  content: Targeting;
  cells: number[];
  audience: Audience | null;
}

/** A campaign with rules. */
type Targeted = Pick<Campaign, 'companyId' | 'id' | 'targetingVersion'>;

/**
 * Remembers the rules of campaigns: of each, those that were read last. A version never changes, so
 * only whoever begins has to know whether it is the current one.
 */
@Injectable()
export class TargetingRules {
  private readonly kept = new LRUCache<string, Rules>({
    maxSize: BYTES_MAXIMUM,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(private readonly transaction: TransactionContext) {}

  /** Returns the rules of a campaign that are remembered, if any. */
  remembered(campaignId: string): Rules | undefined {
    return this.kept.get(campaignId);
  }

  /** Returns the rules of a campaign. */
  async read(companyId: StoredId, campaignId: string, version: number): Promise<Rules> {
    const campaign = { companyId, id: campaignId, targetingVersion: version };
    const rules = (await this.readAll([campaign])).get(campaignId);
    if (rules === undefined) {
      throw new Error(`the targeting ${version} of campaign ${campaignId} is not stored`);
    }
    return rules;
  }

  /** Returns the rules of those campaigns that have some, by the identifiers of the campaigns. */
  async readAll(campaigns: readonly Targeted[]): Promise<Map<string, Rules>> {
    const found = new Map<string, Rules>();
    const missing: Targeted[] = [];
    for (const campaign of campaigns) {
      if (campaign.targetingVersion !== null) {
        const known = this.kept.get(campaign.id);
        if (known?.version === campaign.targetingVersion) {
          found.set(campaign.id, known);
        } else {
          missing.push(campaign);
        }
      }
    }
    if (missing.length > 0) {
      const rows = await this.transaction.manager.query<Row[]>(READ, [
        [...new Set(missing.map(({ companyId }) => companyId))],
        missing.map(({ id }) => id),
        missing.map(({ targetingVersion }) => targetingVersion),
      ]);
      for (const { campaign_id, version, content, cells, audience } of rows) {
        const bytes = BYTES_LEAST + BYTES_EACH * JSON.stringify(content).length;
        const targeting = { ...EVERYBODY, ...content };
        const rules = { version, targeting, cells, audience, bytes };
        found.set(campaign_id, rules);
        this.kept.set(campaign_id, rules);
      }
    }
    return found;
  }
}
