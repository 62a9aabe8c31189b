import { Injectable } from '@nestjs/common';
import { AllotmentsService } from '../../campaigns/balance/allotments.service';
import { DueCampaignsService } from '../../campaigns/campaign/due-campaigns.service';
import { RefusedBegins } from '../../campaigns/targeting/refused-begins.service';
import type { PaidScreenOut } from '../../campaigns/targeting/targeting.errors';
import { TargetingRules } from '../../campaigns/targeting/targeting-rules.service';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newStoredId, StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import { Beginner, compare, limitsOf, Refusal, refusalOf, RefusedRow } from './beginner.rules';
import type { Fielded } from './campaign-owners.service';
import { notSupported, PLACE_ERRORS } from './fielding.errors';
import { countParticipations } from './fielding.registry';
import { FieldingKeys } from './fielding-keys.service';
import { ParticipationsService } from './participations.service';

/**
 * How often a campaign can be other than it was, one after the other: its start, its end, and new
 * rules of whom it asks.
 */
const CHANGES_MAXIMUM = 10;

const BEGIN = `
  SELECT id, expired, other_rules, is_refused, full_cell, refused_by, pause, paid, is_paid_now,
    is_low
  FROM begin_participation($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, $13)`;

interface BeginRow extends RefusedRow {
  id: StoredId | null;
  expired: number;
  /** The version of the campaign's rules, if it is another one; 0 without rules. */
  other_rules: number | null;
  is_refused: boolean | null;
  is_paid_now: boolean | null;
  /** Whether the campaign's allotment is to be topped up; `null` without one. */
  is_low: boolean | null;
}

/** What became of a begin: a place, or a payment to who does not qualify. */
export type Begun = { id: StoredId } | { screenedOut: PaidScreenOut };

/** The first step of a respondent through a campaign that is known already: taking a place. */
@Injectable()
export class Beginning {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly dueCampaigns: DueCampaignsService,
    private readonly sequencer: SequencerService,
    private readonly participations: ParticipationsService,
    private readonly keys: FieldingKeys,
    private readonly targeting: TargetingRules,
    private readonly refused: RefusedBegins,
    private readonly allotments: AllotmentsService,
  ) {}

  /**
   * Takes a place for a respondent, in the campaign and in the quotas that match. Or pays a
   * respondent whose answers do not qualify, which is a refusal that must be committed: so it is
   * returned, and not thrown.
   *
   * The attributes and the answers are compared with the rules here, so that they never reach the
   * database. It says if the campaign has other rules by then; they are compared again.
   *
   * @param actor who begins for the respondent
   * @returns the participation_id; a respondent who has begun before has the same one
   * @throws ApiError `campaign_not_live`, `campaign_completed`, `fully_held`, `balance_low`,
   *   `screened_out`, `quota_full`, `pace_reached`, `validation_failed` for answers to screening
   *   questions, or `not_supported`, which gives the place back with the transaction
   */
  async begin(
    fielded: Fielded,
    respondentId: string,
    actor: string,
    beginner: Beginner = {},
  ): Promise<Begun> {
    const { supports } = beginner;
    const takePlace = () => this.takePlace(fielded, respondentId, actor, beginner);
    if (supports === undefined) {
      return takePlace();
    }
    return this.transaction.run(async () => {
      const begun = await takePlace();
      const types = 'id' in begun ? await this.participations.typesOf(fielded, begun.id) : [];
      const missing = types.filter((type) => !supports.includes(type));
      if (missing.length > 0) {
        throw notSupported(missing);
      }
      return begun;
    });
  }

  private async takePlace(
    fielded: Fielded,
    respondentId: string,
    actor: string,
    beginner: Beginner,
  ): Promise<Begun> {
    const { companyId, campaignId, platform } = fielded;
    const respondent = this.keys.hashRespondent(platform, respondentId);
    const own = newStoredId();
    const parameters = [companyId, campaignId, own, platform, respondent];
    let rules = this.targeting.remembered(campaignId);
    for (let change = 0; change <= CHANGES_MAXIMUM; change += 1) {
      const comparison = compare(rules, beginner);
      const [row] = await withConstraints(
        () =>
          this.transaction.manager.query<[BeginRow]>(BEGIN, [
            ...parameters,
            ...limitsOf(rules, comparison),
            actor,
          ]),
        PLACE_ERRORS,
      );
      const { id, expired, other_rules } = row;
      this.count('expired', companyId, expired);
      if (id !== null) {
        if (id === own) {
          this.count('begun', companyId);
        }
        if (row.is_low === true) {
          this.transaction.afterEnd(() => {
            this.allotments.wake(companyId);
          });
        }
        return { id };
      }
      if (other_rules !== null) {
        rules =
          other_rules === 0
            ? undefined
            : await this.targeting.read(companyId, campaignId, other_rules);
        continue;
      }
      if (row.is_refused === true) {
        if (row.is_paid_now === true) {
          this.count('screened_out', companyId);
          this.wake(companyId);
        }
        return this.refuse(fielded, refusalOf(rules, comparison, row));
      }
      await this.dueCampaigns.settle(companyId, [campaignId]);
      this.wake(companyId);
    }
    throw new Error(`${fielded.postId} changes all the time`);
  }

  /** Counts a refusal, and throws its error unless the respondent was paid. */
  private refuse({ companyId, campaignId, currency }: Fielded, refusal: Refusal): Begun {
    const { counted, error, paid } = refusal;
    if (counted !== null) {
      // The transaction ends without having changed anything but a payment.
      this.transaction.afterEnd(() => {
        this.refused.count(companyId, campaignId, counted.reason, counted.rule);
      });
    }
    if (paid === null) {
      throw error;
    }
    return { screenedOut: { ...paid, currency } };
  }

  private count(...step: Parameters<typeof countParticipations>): void {
    this.transaction.afterSuccess(() => {
      countParticipations(...step);
    });
  }

  private wake(companyId: StoredId): void {
    this.transaction.afterEnd(() => {
      this.sequencer.wake(companyId);
    });
  }
}
