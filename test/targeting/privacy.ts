import { registerCompany } from '../support/client';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { RefusedBegins } from '../../src/campaigns/targeting/refused-begins.service';
import { dump } from '../support/dump';
import { submit } from '../support/fielding';
import { createGuardrail, untilGuardrailsRead } from '../support/guardrails';
import { platformClient } from '../support/platforms';
import { serviceForAll } from '../support/service';
import { beginAs, quota, setTargeting, targetedSurvey } from '../support/targeting';

/** Values that no rule and nothing else has. */
const TOWN = 'Zwolle-quartz-9177';
const INCOME = 734_019_283;

describe('the attributes of respondents', () => {
  const service = serviceForAll({ variables: { LOG_LEVEL: 'trace' } });

  it('are nowhere in the database, the log, a statement, an event or a response', async () => {
    const company = await registerCompany(service.client);
    const platform = await platformClient(service);
    const sent = jest.spyOn(service.dataSource.logger, 'logQuery');
    const rules = {
      attributes: [
        { name: 'town', type: 'select' },
        { name: 'income', type: 'number' },
      ],
      screening: { all: [{ attribute: 'town', op: 'is_not', value: 'Nowhere-1188' }] },
      quotas: [quota('rich', { income: [{ from: 500_000_000 }] }, 2)],
    };
    const postId = await targetedSurvey(company, rules);
    const known = { town: TOWN, income: INCOME };
    const keyed = platform.with({ 'idempotency-key': 'begin' });
    const answers = [
      await beginAs(keyed, postId, 'ann', known),
      await beginAs(keyed, postId, 'ann', known),
      await beginAs(platform, postId, 'bob', known),
      await beginAs(platform, postId, 'cleo', known),
      await beginAs(platform, postId, 'dan', { income: INCOME }),
      await beginAs(platform, postId, 'eva', { town: [TOWN], income: INCOME + 0.5 }),
      await beginAs(platform, 'post_unknown', 'eva', known),
      await platform.with({ 'idempotency-key': 'list' }).post('/svc/fielding/list', {
        respondent_id: 'ann',
        attributes: known,
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422, 422, 400, 404, 200]);
    await submit(platform, answers[0]!.data, 9);
    await setTargeting(company.api, postId, rules);
    await service.app.get(RefusedBegins, { strict: false }).flush();
    const statements = JSON.stringify(
      sent.mock.calls.map(([text, parameters]) => [text, parameters as unknown]),
    );
    sent.mockRestore();

    const places = [
      await dump(service.dataSource),
      service.log.text,
      statements,
      JSON.stringify(answers),
    ];
    // The rules themselves are stored, so a value would be found.
    expect(places[0]).toContain('Nowhere-1188');
    expect(places[0]).toContain('500000000');
    expect(places[1]).toContain('begin');
    for (const place of places) {
      expect(place).not.toContain(TOWN);
      expect(place).not.toContain(String(INCOME));
    }
  });

  it('leave only the number of a cell, which an erasure removes too, also from guardrails', async () => {
    const company = await registerCompany(service.client);
    const platform = await platformClient(service);
    const postId = await targetedSurvey(company, {
      quotas: [quota('all', { age: [{ from: 0 }] }, 9)],
    });
    const share = { metric: 'flagged_share', signal: 'fast', op: 'gt', value: 0.5, last: 9 };
    await createGuardrail(company.api, {
      post_id: postId,
      when: { all: [{ ...share, quota: 'all' }] },
    });
    await submit(platform, (await beginAs(platform, postId, 'fay', { age: 30 })).data, 9);
    await untilGuardrailsRead(service.dataSource, company.companyId);
    const remembered = async () => {
      const [{ quotas }] = await service.dataSource.query(
        "SELECT state -> 'quotas' AS quotas FROM guardrail_watch WHERE company_id = $1",
        [storedEnvironment(company.companyId)],
      );
      return quotas[0].state.window.seq;
    };
    expect(await remembered()).toEqual([expect.any(Number)]);
    expect(await remembered()).not.toEqual([0]);
    const cells = () =>
      service.dataSource.query(
        `SELECT p.cells FROM participation AS p JOIN campaign AS c
           ON c.company_id = p.company_id AND c.id = p.campaign_id WHERE c.post_id = $1`,
        [postId],
      );
    expect(await cells()).toEqual([{ cells: [1] }]);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'fay' });
    expect(await cells()).toEqual([{ cells: null }]);
    expect(await remembered()).toEqual([0]);
  });
});
