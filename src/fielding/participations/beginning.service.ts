import { Injectable } from '@nestjs/common';
import { DueCampaignsService } from '../../campaigns/campaign/due-campaigns.service';
import type { QuestionType } from '../../campaigns/questions/question.types';
import { admit, Admission } from '../../campaigns/targeting/admission.rules';
import { RefusedBegins } from '../../campaigns/targeting/refused-begins.service';
import { paceReached, quotaFull, screenedOut } from '../../campaigns/targeting/targeting.errors';
import { TargetingRules } from '../../campaigns/targeting/targeting-rules.service';
import { Attributes, PACE, RefusalReason, Rules } from '../../campaigns/targeting/targeting.types';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newStoredId, StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import type { ApiError } from '../../platform/protocol/api-error';
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
  SELECT id, expired, other_rules, is_refused, full_cell, refused_by, pause
  FROM begin_participation($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10)`;

interface BeginRow {
  id: StoredId | null;
  expired: number;
  /** The version of the campaign's rules, if it is another one; 0 without rules. */
  other_rules: number | null;
  is_refused: boolean | null;
  full_cell: number | null;
  /** The rule about what the respondent has done that refuses. */
  refused_by: string | null;
  /** Seconds until somebody can begin. */
  pause: number | null;
}

/** What a campaign without rules says of everybody. */
const ADMITTED: Admission = { refusedBy: null, cells: null };

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
  ) {}

  /**
   * Takes a place for a respondent, in the campaign and in the quotas that match.
   *
   * The attributes are compared with the rules here, so that they never reach the database. It says
   * if the campaign has other rules by then; they are compared again.
   *
   * @param supports the types of question that can be shown; all by default
   * @returns the participation_id; a respondent who has begun before has the same one
   * @throws ApiError `campaign_not_live`, `campaign_completed`, `fully_held`, `screened_out`,
   *   `quota_full`, `pace_reached`, or `not_supported`, which gives the place back with the
   *   transaction
   */
  async begin(
    fielded: Fielded,
    respondentId: string,
    { attributes = {}, supports }: { attributes?: Attributes; supports?: QuestionType[] } = {},
  ): Promise<StoredId> {
    const id = await this.takePlace(fielded, respondentId, attributes);
    if (supports !== undefined) {
      const types = await this.participations.typesOf(fielded, id);
      const missing = types.filter((type) => !supports.includes(type));
      if (missing.length > 0) {
        throw notSupported(missing);
      }
    }
    return id;
  }

  private async takePlace(
    fielded: Fielded,
    respondentId: string,
    attributes: Attributes,
  ): Promise<StoredId> {
    const { companyId, campaignId, platform } = fielded;
    const respondent = this.keys.hashRespondent(platform, respondentId);
    const parameters = [companyId, campaignId, newStoredId(), platform, respondent];
    let rules = this.targeting.remembered(campaignId);
    for (let change = 0; change <= CHANGES_MAXIMUM; change += 1) {
      const { refusedBy, cells } = rules === undefined ? ADMITTED : admit(rules, attributes);
      const own = [rules?.version ?? null, cells, refusedBy !== null, ...limitsOf(rules)];
      const [row] = await withConstraints(
        () => this.transaction.manager.query<[BeginRow]>(BEGIN, [...parameters, ...own]),
        PLACE_ERRORS,
      );
      const { id, expired, other_rules } = row;
      this.count('expired', companyId, expired);
      if (id !== null) {
        if (id === parameters[2]) {
          this.count('begun', companyId);
        }
        return id;
      }
      if (row.is_refused === true) {
        throw this.refuse(fielded, refusalOf(rules, refusedBy, row));
      }
      if (other_rules !== null) {
        rules =
          other_rules === 0
            ? undefined
            : await this.targeting.read(companyId, campaignId, other_rules);
        continue;
      }
      await this.dueCampaigns.settle(companyId, [campaignId]);
      this.transaction.afterEnd(() => {
        this.sequencer.wake(companyId);
      });
    }
    throw new Error(`${fielded.postId} changes all the time`);
  }

  /** Counts a refusal, and returns its error. */
  private refuse({ companyId, campaignId }: Fielded, { reason, rule, error }: Refusal): ApiError {
    // The transaction ends without having changed anything.
    this.transaction.afterEnd(() => {
      this.refused.count(companyId, campaignId, reason, rule);
    });
    return error;
  }

  private count(...step: Parameters<typeof countParticipations>): void {
    this.transaction.afterSuccess(() => {
      countParticipations(...step);
    });
  }
}

/** The rules that the database compares a respondent with. */
function limitsOf(rules: Rules | undefined): unknown[] {
  const { audience = null, targeting } = rules ?? {};
  return [audience && JSON.stringify(audience), targeting?.at_most_per_hour ?? null];
}

/** Which rule has refused a respondent. */
interface Refusal {
  reason: RefusalReason;
  rule: string;
  error: ApiError;
}

function refusalOf(
  rules: Rules | undefined,
  screenedOutBy: string | null,
  { refused_by, full_cell, pause }: BeginRow,
): Refusal {
  const refusedBy = screenedOutBy ?? refused_by;
  if (refusedBy !== null) {
    return { reason: 'screened_out', rule: refusedBy, error: screenedOut(refusedBy) };
  }
  if (pause !== null) {
    return { reason: 'pace_reached', rule: PACE, error: paceReached(pause) };
  }
  const rule = rules?.targeting.quotas[rules.cells.indexOf(full_cell ?? 0)]?.name ?? '';
  return { reason: 'quota_full', rule, error: quotaFull(rule) };
}
