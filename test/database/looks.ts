import type { DataSource, QueryRunner } from 'typeorm';
import type { SequencerService } from '../../src/platform/event/sequencer.service';
import { EvaluationService } from '../../src/campaigns/guardrail/evaluation.service';
import { registry } from '../../src/platform/metrics/metrics.registry';
import { FoldService } from '../../src/insight/results/fold.service';
import type { BackgroundJobs } from '../../src/platform/scheduling/background-jobs.service';
import type { SharedJobs } from '../../src/platform/scheduling/shared-jobs.service';
import { service } from '../support/service';

/** More companies than one look finds, each with three events that nothing has read. */
const COMPANIES = 1_100;
const LOOK_MAXIMUM = 1_000;
const HOUR = 3_600;

const INSERT = [
  `CREATE TEMPORARY TABLE busy ON COMMIT DROP AS
   SELECT gen_random_uuid() AS company_id, n FROM generate_series(1, ${COMPANIES}) AS n`,
  `INSERT INTO event_sequence (company_id, last_seq) SELECT company_id, 3 FROM busy`,
  `INSERT INTO event (company_id, subject, version, type, actor, changes, created_at, seq)
   SELECT company_id, gen_random_uuid(), 1, 'campaign.started', 'service', '{}',
     clock_timestamp() - CASE WHEN n = ${COMPANIES} THEN ${HOUR} ELSE 0 END * interval '1 second', 1
   FROM busy`,
  `INSERT INTO guardrail_position (company_id, seq, revision)
   SELECT company_id, 0, gen_random_uuid() FROM busy`,
];

describe('a look at all companies', () => {
  let runner: QueryRunner;

  beforeEach(async () => {
    runner = service.dataSource.createQueryRunner();
    // What others write meanwhile is not seen, and nobody sees what is written here.
    await runner.startTransaction('REPEATABLE READ');
  });

  afterEach(async () => {
    await runner.rollbackTransaction();
    await runner.release();
  });

  async function insertCompanies(): Promise<void> {
    for (const statement of INSERT) {
      await runner.query(statement);
    }
  }

  const sequencer = {} as SequencerService;
  const onRunner = () => runner.manager as unknown as DataSource;
  const gauge = async (name: string) =>
    (await registry.getSingleMetric(name)!.get()).values[0]!.value;

  it('reports all events that the results do not count yet, and the age of the oldest', async () => {
    const shared = { run: (_: string, job: () => Promise<unknown>) => job() };
    const fold = new FoldService(
      onRunner(),
      sequencer,
      { run: () => Promise.resolve() } as unknown as BackgroundJobs,
      shared as unknown as SharedJobs,
    );
    await fold.look();
    const before = await gauge('results_events_unfolded');
    await insertCompanies();
    await fold.look();
    expect(await gauge('results_events_unfolded')).toBe(before + 3 * COMPANIES);
    expect(await gauge('results_fold_lag_seconds')).toBeGreaterThanOrEqual(HOUR);
  });

  it('finds all events that guardrails have not read, and the oldest first', async () => {
    const evaluation = new EvaluationService(onRunner(), sequencer);
    const before = await evaluation.findBehind(LOOK_MAXIMUM);
    await insertCompanies();
    const { waiting, companies } = await evaluation.findBehind(LOOK_MAXIMUM);
    expect(waiting).toBe(before.waiting + 3 * COMPANIES);
    expect(companies).toHaveLength(LOOK_MAXIMUM);
    expect(companies[0]!.age).toBeGreaterThanOrEqual(HOUR);
  });
});
