import { createSurvey } from '../support/builders';
import { begun, start, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('the statistics of responses', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it('have no copies of answers, which an erasure would leave there', async () => {
    const { post_id } = await createSurvey(company.api);
    const questions = [{ type: 'text', question: 'Why?' }];
    await company.api.post('/svc/survey/questions', { post_id, questions });
    await start(company.api, post_id);
    for (const who of ['ann', 'bob', 'cid']) {
      const answers = [{ question: 1, value: `I am ${who}` }];
      expect((await submit(platform, await begun(platform, post_id, who), 5, answers)).status).toBe(
        200,
      );
    }
    await service.dataSource.query('ANALYZE participation');
    const columns = await service.dataSource.query<{ attname: string }[]>(
      `SELECT attname FROM pg_stats WHERE tablename = 'participation'`,
    );
    const names = columns.map(({ attname }) => attname);
    expect(names).toContain('participation_id');
    expect(names).not.toContain('answers');
  });
});
