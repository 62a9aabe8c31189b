import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { RecentReads } from '../../platform/database/recent-reads';
import { SequencerService } from '../../platform/event/sequencer.service';
import { RepeatedFailures } from '../../platform/logging/repeated-failures';
import { reportUnwatched } from './guardrails.registry';
import { countPromise } from '../../platform/metrics/service-levels.registry';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import { Lanes } from '../../platform/scheduling/lanes.service';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { EvaluationService } from './evaluation.service';
import { guardrailsBehind } from './guardrail.errors';
import type { StoredId } from '../../platform/database/identifiers';

/** Milliseconds between two polls for companies that other processes have left unprocessed. */
const LOOK_INTERVAL = 500;

/** Maximum number of companies that one poll returns. */
const LOOK_MAXIMUM = 1_000;

/** Seconds within which guardrails act. */
const PROMPT = 2;

/**
 * A process applies guardrails to the events that it has numbered. After this many seconds, the
 * process that looks at all companies does.
 */
const LEFT = 0.75;

/**
 * Companies that are evaluated at once. The sequencer numbers a company's events a few times a
 * second at most, so under load one turn reads several responses.
 */
const LANES = 2;

/** Milliseconds that a respondent waits for guardrails that are behind. */
const PATIENCE = 3_000;

/** Milliseconds between two attempts meanwhile. */
const PAUSE = 20;

/**
 * Applies guardrails whenever this process has numbered events; one process does so for what others
 * have left. A company without guardrails costs one small read a second while it is busy.
 */
@Injectable()
export class GuardrailWatcher implements OnModuleInit {
  private readonly logger = new Logger(GuardrailWatcher.name);
  /** Whether companies have guardrails. */
  private readonly watched = new RecentReads<StoredId, boolean>();
  /** For companies with events that their guardrails have not read. */
  private readonly lanes: Lanes;
  private readonly settling = new Map<StoredId, Promise<void>>();
  private readonly failures = new RepeatedFailures(this.logger, 'could not apply guardrails');

  constructor(
    private readonly evaluation: EvaluationService,
    private readonly sequencer: SequencerService,
    jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {
    this.lanes = new Lanes(jobs, 'apply guardrails', LANES, (companyId) => this.turn(companyId));
  }

  onModuleInit(): void {
    this.sharedJobs.onLost(() => {
      reportUnwatched(0, 0);
    });
    this.sequencer.onNumbered((companyId) => {
      this.lanes.add([companyId]);
    });
  }

  /**
   * Lets the guardrails of a company read what is older than a second, before a respondent begins.
   *
   * @throws ApiError `service_unavailable` if that takes too long
   */
  async settle(companyId: StoredId): Promise<void> {
    if (!(await this.watches(companyId))) {
      return;
    }
    let settling = this.settling.get(companyId);
    if (settling === undefined) {
      settling = this.catchUp(companyId).finally(() => this.settling.delete(companyId));
      this.settling.set(companyId, settling);
    }
    await settling;
  }

  /** Finds what other processes have left. */
  @Interval(LOOK_INTERVAL)
  async look(): Promise<void> {
    await this.sharedJobs.run('look for guardrails', async () => {
      const { companies, waiting } = await this.findBehind();
      const oldest = companies[0]?.age ?? 0;
      reportUnwatched(waiting, oldest);
      countPromise('guardrails_prompt', oldest <= PROMPT);
      const left = companies.filter(({ age }) => (age ?? LEFT) >= LEFT);
      this.lanes.add(left.map(({ company_id }) => company_id));
    });
  }

  /** Reads again which companies have guardrails, because this process has changed them. */
  changed(): void {
    this.watched.clear();
  }

  private async findBehind(): ReturnType<EvaluationService['findBehind']> {
    try {
      return await this.evaluation.findBehind(LOOK_MAXIMUM);
    } catch (error) {
      countPromise('guardrails_prompt', false);
      throw error;
    }
  }

  private watches(companyId: StoredId): Promise<boolean> {
    return this.watched.get(companyId, () => this.evaluation.hasGuardrails(companyId));
  }

  private async catchUp(companyId: StoredId): Promise<void> {
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

  /** Evaluates a batch, and returns whether the company has more. */
  private async turn(companyId: StoredId): Promise<boolean> {
    let isAtEnd = true;
    try {
      isAtEnd = !(await this.watches(companyId)) || (await this.evaluation.advance(companyId));
    } catch (error) {
      // The next poll finds it again.
      this.failures.add(error);
    }
    return !isAtEnd;
  }
}
