import { createSurvey } from '../support/builders';
import { violated } from '../support/constraints';
import { companyForAll } from '../support/fixtures';
import { inHours } from '../support/life';
import { untilNumbered } from '../support/numbering';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** Requests that race each other. */
const RACERS = 12;

describe("racing changes of a campaign's life", () => {
  const company = companyForAll();

  const update = (fields: object) => company.api.patch('/svc/campaign/update', fields);

  async function stored(postId: string) {
    const [row] = await service.dataSource.query<Record<string, any>[]>(
      `SELECT c.is_live, c.archived, c.starts_at < c.ends_at AS in_order,
         c.max_responses = p.max_responses AND c.budget = p.budget AS is_copied,
         p.taken <= c.max_responses AND p.held + p.spent <= c.budget AS is_within
       FROM campaign AS c JOIN campaign_progress AS p
         ON p.company_id = c.company_id AND p.campaign_id = c.id
       WHERE c.post_id = $1`,
      [postId],
    );
    return row!;
  }

  it('never store an end before the start', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { post_id } = await createSurvey(company.api, {
        starts_at: inHours(10),
        ends_at: inHours(20),
        max_responses: 1,
        budget: 1,
      });
      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, index) =>
          index % 2 === 0
            ? update({ post_id, starts_at: inHours(19) })
            : update({ post_id, ends_at: inHours(11) }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
      expect((await stored(post_id)).in_order).toBe(true);
    }
  });

  it('never store a limit below what is counted meanwhile', async () => {
    const { post_id } = await createSurvey(company.api, { max_responses: 30, budget: 3000 });
    const take = () =>
      violated(
        service.dataSource.query(
          `UPDATE campaign_progress SET taken = taken + 1, held = held + 100
           WHERE company_id = $1
             AND campaign_id = (SELECT id FROM campaign WHERE company_id = $1 AND post_id = $2)`,
          [storedEnvironment(company.companyId), post_id],
        ),
      );
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 4 === 3
          ? update({ post_id, max_responses: 20 - index / 4, budget: (20 - index / 4) * 100 })
          : take(),
      ),
    );
    expect(outcomes).toContain('none');
    expect(await stored(post_id)).toMatchObject({ is_copied: true, is_within: true });
  });

  it('never store an archived campaign as live', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { post_id } = await createSurvey(company.api, { max_responses: 5, budget: 5 });
      await Promise.all(
        Array.from({ length: RACERS }, (_, index) =>
          index % 2 === 0
            ? company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true })
            : company.api.post('/svc/campaign/archive', { post_id }),
        ),
      );
      expect(await stored(post_id)).toMatchObject({ archived: true, is_live: false });
    }
  });

  it('of a passed end and its owner store the end once, first', async () => {
    const { post_id } = await createSurvey(company.api, { ends_at: inHours(1) });
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    await tamper(service.dataSource, (session) =>
      session.query('UPDATE campaign SET ends_at = now(), due_at = now() WHERE post_id = $1', [
        post_id,
      ]),
    );
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, index) =>
        company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: index % 2 === 0 }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, index) => (index % 2 === 0 ? 422 : 200)),
    );
    await untilNumbered(service.dataSource, company.companyId);
    const events = await service.dataSource.query<{ type: string; actor: string }[]>(
      `SELECT type, actor FROM event WHERE subject = stored_id($1) AND version > 2`,
      [post_id],
    );
    expect(events).toEqual([{ type: 'campaign.completed', actor: 'service' }]);
  });
});
