import { submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { beginAs, MEN, quota, targetedSurvey, WOMEN } from '../support/targeting';

describe('GET /svc/ledger/reconcile of quotas', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it('names each quota whose counts differ from its participations', async () => {
    const postId = await targetedSurvey(company, {
      quotas: [quota('women', WOMEN, 5), quota('men', MEN, 5)],
    });
    await beginAs(platform, postId, 'ann', { gender: 'female' });
    await submit(platform, (await beginAs(platform, postId, 'bob', { gender: 'male' })).data, 9);
    const differences = async () =>
      (await company.api.get('/svc/ledger/reconcile')).data.differences.map((each: any) => [
        each.post_id,
        each.field,
        each.quota,
        each.expected,
        each.found,
      ]);
    expect(await differences()).toEqual([]);
    const change = (set: string, name: string) =>
      tamper(service.dataSource, (session) =>
        session.query(
          `UPDATE quota_cell SET ${set} WHERE name = $1 AND campaign_id =
             (SELECT id FROM campaign WHERE post_id = $2)`,
          [name, postId],
        ),
      );
    const count = (women: number) =>
      tamper(service.dataSource, (session) =>
        session.query(
          `UPDATE cell_counts SET taken[1] = $1 WHERE campaign_id =
             (SELECT id FROM campaign WHERE post_id = $2)`,
          [women, postId],
        ),
      );
    await count(3);
    await change('submitted = 0', 'men');
    expect(await differences()).toEqual([
      [postId, 'quota_submitted', 'men', 1, 0],
      [postId, 'quota_taken', 'women', 1, 3],
    ]);
    // A participation in a cell that no quota has.
    await count(1);
    await change('submitted = 1', 'men');
    await tamper(service.dataSource, (session) =>
      session.query(
        `UPDATE participation SET cells = '{1,7}' WHERE state = 'open' AND campaign_id =
           (SELECT id FROM campaign WHERE post_id = $1)`,
        [postId],
      ),
    );
    expect(await differences()).toEqual([[postId, 'quota_taken', null, 1, 0]]);
  });
});
