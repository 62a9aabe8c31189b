import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SequencerService } from '../../platform/event/sequencer.service';
import { turns } from '../../platform/limits/turns';
import { firingDelay } from './guardrails.registry';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { advance, Advance, CampaignEntry, StoredWatch, WatchingRule } from './advance.rules';
import { withinTurn } from './turn.rules';
import { AnswerLook, looksOf } from './answer-looks.rules';
import {
  ADVANCE,
  BEHIND,
  COUNT_WAITING,
  Detail,
  HEAD,
  logEntries,
  look,
  POSITION,
  WATCHES,
} from './guardrail.statements';
import type { Condition, MetricName } from './condition.rules';
import type { StoredId } from '../../platform/database/identifiers';

/** Events that one turn looks at, at most. */
const BATCH = 500;

interface HeadRow {
  seq: string;
  revision: string;
  last_seq: string;
  rules: WatchingRule[];
}

interface Waiting {
  /** Events that guardrails have not read. */
  waiting: number;
}

/** A company with guardrails, and what they have not read. */
export interface WatchedCompany extends Waiting {
  company_id: StoredId;
  /** Age of the oldest event, in seconds. */
  age: number | null;
}

const OF_PARTICIPATIONS: readonly MetricName[] = [
  'mean_attention',
  'median_answer_seconds',
  'flagged_share',
];

/** What conditions need of a response besides what its events say. */
export function detailOf(conditions: readonly Condition[]): Detail {
  const quotas = conditions.some(({ quota }) => quota !== undefined);
  if (conditions.some(({ question }) => question !== undefined)) {
    return { of: 'answers', quotas };
  }
  return conditions.some(({ metric }) => OF_PARTICIPATIONS.includes(metric))
    ? { of: 'submissions', quotas }
    : { of: 'events', quotas };
}

/** What guardrails look at in the answers to each campaign. Only one of a campaign can do so. */
function looksByCampaign(rules: readonly WatchingRule[]): Record<string, AnswerLook[]> {
  return Object.fromEntries(
    rules.map(({ post_id }) => [
      post_id ?? '',
      looksOf(rules.flatMap((rule) => (rule.post_id === post_id ? rule.conditions : []))),
    ]),
  );
}

/**
 * Applies the guardrails of a company to its log. Nothing is locked and no connection is held while
 * they are evaluated: what came of it is stored by one statement, which does so only if nobody else
 * has read on. So a guardrail fires once, however many processes evaluate it.
 */
@Injectable()
export class EvaluationService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequencer: SequencerService,
  ) {}

  /**
   * Companies whose guardrails have yet to read events, those that wait the longest first, and how
   * many events these are, of all companies.
   */
  async findBehind(limit: number): Promise<Waiting & { companies: WatchedCompany[] }> {
    const companies = await this.dataSource.query<WatchedCompany[]>(look(limit));
    const all =
      companies.length < limit ? companies : await this.dataSource.query<Waiting[]>(COUNT_WAITING);
    return { companies, waiting: sumOf(all.map(({ waiting }) => waiting)) };
  }

  async hasGuardrails(companyId: StoredId): Promise<boolean> {
    const found = await this.dataSource.query<unknown[]>(POSITION, [companyId]);
    return found.length > 0;
  }

  /** Whether the guardrails of a company have yet to read an event that is a second old. */
  async isBehind(companyId: StoredId): Promise<boolean> {
    const [row] = await this.dataSource.query<{ behind: boolean }[]>(BEHIND, [companyId]);
    return row?.behind ?? false;
  }

  /** Applies the guardrails to the next events, and returns whether these were the last ones. */
  async advance(companyId: StoredId): Promise<boolean> {
    const [head] = await this.dataSource.query<HeadRow[]>(HEAD, [companyId]);
    if (head === undefined || Number(head.seq) >= Number(head.last_seq)) {
      return true;
    }
    const from = Number(head.seq);
    const end = Math.min(Number(head.last_seq), from + BATCH);
    const read = await this.readEntries(companyId, head.rules, from, end);
    const { entries, upTo } = withinTurn(head.rules, read, end);
    const campaigns = [...new Set(entries.map(({ post_id }) => post_id))];
    const stored =
      campaigns.length === 0
        ? []
        : await this.dataSource.query<StoredWatch[]>(WATCHES, [companyId, campaigns]);
    const turn = () => turns.next();
    const advanced = await advance(head.rules, stored, entries, upTo, turn);
    return (await this.store(companyId, head, advanced)) && advanced.to === Number(head.last_seq);
  }

  private async readEntries(
    companyId: StoredId,
    rules: readonly WatchingRule[],
    after: number,
    upTo: number,
  ): Promise<CampaignEntry[]> {
    if (rules.length === 0) {
      return [];
    }
    const campaigns = rules.map(({ post_id }) => post_id);
    const detail = detailOf(rules.flatMap(({ conditions }) => conditions));
    return this.dataSource.query<CampaignEntry[]>(logEntries(detail), [
      companyId,
      after,
      upTo,
      campaigns.includes(null) ? null : campaigns,
      ...(detail.of === 'answers' ? [JSON.stringify(looksByCampaign(rules))] : []),
    ]);
  }

  /** Returns whether it was stored: not if another process was faster. */
  private async store(
    companyId: StoredId,
    { seq, revision }: HeadRow,
    { to, watches, firings }: Advance,
  ): Promise<boolean> {
    const [{ delays }] = await this.dataSource.query<[{ delays: number[] | null }]>(ADVANCE, [
      companyId,
      seq,
      revision,
      to,
      JSON.stringify(watches),
      JSON.stringify(
        firings.map(({ rule, at, ...firing }) => ({
          ...firing,
          guardrail_id: rule.guardrail_id,
          name: rule.name,
          then: rule.then,
          at: new Date(at),
        })),
      ),
    ]);
    delays?.forEach((seconds) => {
      firingDelay.observe(seconds);
    });
    if (firings.length > 0) {
      this.sequencer.wake(companyId);
    }
    return delays !== null;
  }
}
