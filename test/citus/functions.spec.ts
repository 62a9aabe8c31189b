import { registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begun, expire, liveSurvey, submit } from '../support/fielding';
import { createGuardrail, spent } from '../support/guardrails';
import { Statement, tasksOf } from '../support/plans';
import { platformClient } from '../support/platforms';
import { Receiver } from '../support/receiver';
import { serviceForAll } from '../support/service';

/** Functions that the service calls, each of which works on the rows of one company. */
const FUNCTIONS = [
  'begin_participation',
  'submit_participation',
  'abandon_participation',
  'reverse_participation',
  'expire_participations',
  'number_events',
  'fold_responses',
  'advance_guardrails',
  'claim_deliveries',
  'finish_delivery',
];

describe('A function on a cluster', () => {
  const service = serviceForAll({ variables: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  let company: TestCompany;
  let receiver: Receiver;
  const called = new Map<string, Statement>();

  beforeAll(async () => {
    receiver = await Receiver.start();
    company = await registerCompany(service.client);
    Object.assign(service.dataSource.logger, {
      logQuery: (sql: string, parameters: unknown[] = []) => {
        const [, name] = /(?:FROM|SELECT) (\w+)\(\$1/.exec(sql) ?? [];
        if (name !== undefined) {
          called.set(name, { sql, parameters });
        }
      },
    });
  });

  afterAll(async () => {
    await receiver.stop();
  });

  it('runs where the rows of its company are, also within a transaction', async () => {
    const { api } = company;
    const platform = await platformClient(service);
    const endpoint = { url: receiver.url, description: 'functions' };
    expect((await api.post('/svc/webhook/create', endpoint)).status).toBe(200);
    await createGuardrail(api, { when: { all: [spent(1)] }, then: 'notify' });
    const postId = await liveSurvey(company);
    const [paid, left, over] = [
      await begun(platform, postId, 'paid'),
      await begun(platform, postId, 'left'),
      await begun(platform, postId, 'over'),
    ];
    expect((await submit(platform, paid, 9)).status).toBe(200);
    const { post_id, participation_id } = left;
    const abandoned = await platform.post('/svc/fielding/abandon', { post_id, participation_id });
    expect(abandoned.status).toBe(200);
    const reversal = { ...paid, reason: 'fraud' };
    const { status } = await platform.post('/svc/fielding/reverse', {
      post_id,
      participation_id: reversal.participation_id,
      reason: reversal.reason,
    });
    expect(status).toBe(200);
    await expire(service.dataSource, over.participation_id);
    await eventually(() => {
      expect([...called.keys()]).toEqual(expect.arrayContaining(FUNCTIONS));
    });
    for (const name of FUNCTIONS) {
      const statement = called.get(name)!;
      expect([name, await tasksOf(service.dataSource, statement)]).toEqual([name, [1]]);
      await service.dataSource.transaction(async (session) => {
        expect([name, 'within', await tasksOf(session, statement)]).toEqual([name, 'within', [1]]);
      });
    }
  });
});
