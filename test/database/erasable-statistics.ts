import { createSurvey } from '../support/builders';
import { onEmbedded } from '../support/engines';
import { begun, liveQuestionnaire, start, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('the statistics of responses', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it('have no copies of answers, which an erasure would leave there', async () => {
    const questions = [{ type: 'text', question: 'Why?' }];
    const post_id = await liveQuestionnaire(company, questions);
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

  onEmbedded('of the embedded database', () => {
    it('have no copy of the identity of a respondent once it is erased', async () => {
      const { post_id } = await createSurvey(company.api);
      await start(company.api, post_id);
      for (const who of ['dan', 'eve', 'fay']) {
        await begun(platform, post_id, who);
      }
      const [{ respondent }] = await service.dataSource.query<[{ respondent: Buffer }]>(
        `SELECT respondent FROM participation AS p JOIN campaign AS c ON c.id = p.campaign_id
         WHERE c.post_id = $1 ORDER BY begun_at LIMIT 1`,
        [post_id],
      );
      const hasCopy = async () => {
        const [{ found }] = await service.dataSource.query<[{ found: number }]>(
          `SELECT count(*)::integer AS found FROM pg_stats
           WHERE tablename = 'participation' AND position($1 IN histogram_bounds::text) > 0`,
          [respondent.toString('hex')],
        );
        return found > 0;
      };
      await service.dataSource.query('ANALYZE participation');
      expect(await hasCopy()).toBe(true);
      await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'dan' });
      expect(await hasCopy()).toBe(false);
    });
  });
});
