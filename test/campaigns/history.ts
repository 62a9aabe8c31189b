import { createSurvey, question } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('the history of a campaign', () => {
  const company = companyForAll();

  const history = async (post_id: string, query = '') =>
    (await company.api.get(`/svc/campaign/${post_id}/history${query}`)).body.data;

  it('records who made every change of a campaign, when, and the values before', async () => {
    const started = Date.now();
    const { post_id } = await createSurvey(company.api);
    await company.api.patch('/svc/campaign/update', { post_id, title: 'New', reward_amount: 50 });
    await company.api.post('/svc/survey/questions', { post_id, questions: [question()] });
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    const { items, next_cursor } = await history(post_id);
    const keys = await company.account.get('/svc/api-key/list');
    const actor = { type: 'api_key', id: keys.body.data.items.at(-1).key_id };
    expect(next_cursor).toBeNull();
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'updated',
      'updated',
      'updated',
      'created',
    ]);
    expect(items.map(({ changes }: { changes: object }) => changes).slice(0, 3)).toEqual([
      { is_live: { old: false, new: true } },
      { question_set_version: { old: null, new: 1 } },
      {
        title: { old: 'Coffee habits', new: 'New' },
        reward_amount: { old: 100, new: 50 },
        cohort_2_reward: { old: 40, new: 20 },
        cohort_3_reward: { old: 60, new: 30 },
        cohort_4_reward: { old: 80, new: 40 },
        cohort_5_reward: { old: 100, new: 50 },
      },
    ]);
    expect(items[3].changes).toMatchObject({
      title: { old: null, new: 'Coffee habits' },
      is_live: { old: null, new: false },
    });
    for (const item of items) {
      expect(item.actor).toEqual(actor);
      expect(Date.parse(item.created_at)).toBeGreaterThanOrEqual(started - 1);
    }
  });

  it('is returned page by page', async () => {
    const { post_id } = await createSurvey(company.api);
    for (const title of ['a', 'b', 'c']) {
      await company.api.patch('/svc/campaign/update', { post_id, title });
    }
    const first = await history(post_id, '?limit=3');
    const second = await history(post_id, `?limit=3&cursor=${first.next_cursor}`);
    expect([first.items.length, second.items.length]).toEqual([3, 1]);
    expect(second.next_cursor).toBeNull();
  });

  it('records the life cycle of a key, but not its secret', async () => {
    const generated = await company.account.post('/svc/api-key/generate', { name: 'k' });
    const { key_id } = generated.body.data;
    await company.account.post('/svc/api-key/revoke', { key_id });
    const { body } = await company.account.get(`/svc/api-key/${key_id}/history`);
    expect(body.data.items).toMatchObject([
      { action: 'updated', changes: { revoked_at: { old: null } } },
      { action: 'created', actor: { type: 'account', id: company.companyId } },
    ]);
    expect(Object.keys(body.data.items[1].changes).sort()).toEqual(['name', 'prefix', 'scopes']);
  });

  it('is written in the transaction of the change: a failed change leaves no record', async () => {
    const { post_id } = await createSurvey(company.api);
    await service.dataSource
      .transaction(async (manager) => {
        await manager.query(`UPDATE campaign SET title = 'rolled back' WHERE post_id = $1`, [
          post_id,
        ]);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect((await history(post_id)).items).toHaveLength(1);
  });
});
