import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SequencerService } from '../event/sequencer.service';
import { FailuresInARow } from '../logging/failures-in-a-row';
import { reportUnwatched } from '../metrics/guardrails.registry';
import { inSpan } from '../tracing/tracing';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { EvaluationService } from './evaluation.service';
import { guardrailsBehind } from './guardrail.errors';

/** Milliseconds between two looks for companies with guardrails. */
const LOOK_INTERVAL = 500;

/** Companies that one look finds. With more, every company may have guardrails. */
const LOOK_MAXIMUM = 10_000;

/** Seconds that a process has to apply the guardrails of what it has numbered itself. */
const LEFT = 0.75;

/** Milliseconds for which the result of a look holds. */
const FRESH = 1_000;

/**
 * Companies that are evaluated at once, so that a slow one delays no other. The sequencer numbers a
 * company's events a few times a second at most, so under load one turn reads several responses.
 */
const LANES = 2;

/** Milliseconds that a respondent waits for guardrails that are behind. */
const PATIENCE = 3_000;

/** Milliseconds between two attempts meanwhile. */
const PAUSE = 20;

/**
 * Applies guardrails whenever this process has numbered events, and soon to what other processes
 * have left. Every process looks for itself, because it has to know which companies have
 * guardrails: those without cost a request nothing but a look in memory.
 */
@Injectable()
export class GuardrailWatcher implements OnModuleInit {
  private readonly logger = new Logger(GuardrailWatcher.name);
  private watched = new Set<string>();
  private isComplete = false;
  /** When the last successful look began, by the process's monotonic clock. */
  private lookedAt = -Infinity;
  /** Companies with events that their guardrails have not read, in the order of their turns. */
  private readonly due = new Set<string>();
  private readonly active = new Set<string>();
  private readonly settling = new Map<string, Promise<void>>();
  private readonly failures = new FailuresInARow(this.logger, 'could not apply guardrails');

  constructor(
    private readonly evaluation: EvaluationService,
    private readonly sequencer: SequencerService,
    private readonly jobs: BackgroundJobs,
  ) {}

  onModuleInit(): void {
    this.sequencer.onNumbered((companyId) => {
      if (this.mayWatch(companyId)) {
        this.add([companyId]);
      }
    });
  }

  /**
   * Lets the guardrails of a company read what is older than a second, before a respondent begins.
   *
   * @throws ApiError `service_unavailable` if that takes too long
   */
  async settle(companyId: string): Promise<void> {
    if (!this.mayWatch(companyId)) {
      return;
    }
    let settling = this.settling.get(companyId);
    if (settling === undefined) {
      settling = this.catchUp(companyId).finally(() => this.settling.delete(companyId));
      this.settling.set(companyId, settling);
    }
    await settling;
  }

  /** Finds what other processes have left, and which companies have guardrails. */
  @Interval(LOOK_INTERVAL)
  async look(): Promise<void> {
    await this.jobs.run('look for guardrails', async () => {
      const begun = performance.now();
      const found = await this.evaluation.find(LOOK_MAXIMUM);
      this.watched = new Set(found.map(({ company_id }) => company_id));
      this.isComplete = found.length < LOOK_MAXIMUM;
      this.lookedAt = begun;
      const behind = found.filter(({ waiting }) => waiting > 0);
      reportUnwatched(
        behind.reduce((sum, { waiting }) => sum + waiting, 0),
        behind.reduce((oldest, { age }) => Math.max(oldest, age ?? 0), 0),
      );
      const left = behind.filter(({ age }) => (age ?? LEFT) >= LEFT);
      this.add(left.map(({ company_id }) => company_id));
    });
  }

  /** Whether a company may have guardrails: a look that is old or cut says nothing. */
  private mayWatch(companyId: string): boolean {
    const isFresh = performance.now() - this.lookedAt < FRESH;
    return !isFresh || !this.isComplete || this.watched.has(companyId);
  }

  private async catchUp(companyId: string): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (await this.evaluation.isBehind(companyId)) {
      if (performance.now() > end) {
        throw guardrailsBehind();
      }
      this.sequencer.wake(companyId);
      if (await this.evaluation.advance(companyId)) {
        await delay(PAUSE);
      }
    }
  }

  private add(companies: readonly string[]): void {
    for (const companyId of companies) {
      this.due.add(companyId);
    }
    for (let lane = 1; this.due.size > 0 && lane <= LANES; lane += 1) {
      void this.jobs.run(`apply guardrails (${lane})`, (stop) => this.work(stop), null);
    }
  }

  private async work(stop: AbortSignal): Promise<void> {
    for (let next = this.take(); next !== undefined && !stop.aborted; next = this.take()) {
      this.active.add(next);
      const companyId = next;
      await inSpan('apply guardrails', () => this.takeTurn(companyId));
      this.active.delete(next);
    }
  }

  /** Takes the first company that no other lane evaluates. */
  private take(): string | undefined {
    for (const companyId of this.due) {
      if (!this.active.has(companyId)) {
        this.due.delete(companyId);
        return companyId;
      }
    }
    return undefined;
  }

  /** Evaluates a batch; a company with more gets another turn after the others. */
  private async takeTurn(companyId: string): Promise<void> {
    try {
      if (!(await this.evaluation.advance(companyId))) {
        this.due.add(companyId);
      }
      this.failures.end();
    } catch (error) {
      // The next look finds it again.
      this.failures.add(error);
    }
  }
}
