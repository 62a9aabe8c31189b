import { createAdvertisement, createSurvey } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign } from '../support/stored';
import { inHours, LIVE, STOPPED } from '../support/life';

describe('PATCH /svc/campaign/toggle-live (sections 3 and 4.6)', () => {
  const company = companyForAll();

  const toggle = (post_id: string, is_live: unknown) =>
    company.api.patch('/svc/campaign/toggle-live', { post_id, is_live });
  const stored = (postId: string) => storedCampaign(service.dataSource, postId);

  describe.each([
    ['survey', createSurvey],
    ['advertisement', createAdvertisement],
  ])('on one %s', (type, create) => {
    it('starts and stops it, returning exactly id, post_id, title, type and the state', async () => {
      const { id, post_id } = await create(company.api);
      for (const [state, message] of [
        [LIVE, 'Campaign started.'],
        [STOPPED, 'Campaign stopped.'],
        [LIVE, 'Campaign started.'],
      ] as const) {
        const { status, body } = await toggle(post_id, state.is_live);
        expect(status).toBe(200);
        expect(body).toEqual({
          success: true,
          message,
          data: { id, post_id, title: 'Coffee habits', type, ...state },
        });
        expect((await stored(post_id)).is_live).toBe(state.is_live);
      }
    });

    it('succeeds and changes nothing in the current state', async () => {
      const { post_id } = await create(company.api);
      for (const [isLive, message] of [
        [false, 'Campaign stopped.'],
        [true, 'Campaign started.'],
      ] as const) {
        const first = await toggle(post_id, isLive);
        const before = await stored(post_id);
        const second = await toggle(post_id, isLive);
        expect(second.status).toBe(200);
        expect(second.body).toEqual({ ...first.body, message });
        expect(await stored(post_id)).toEqual(before);
      }
    });

    it('says that a scheduled one still starts when it stops it', async () => {
      const { post_id } = await create(company.api, { starts_at: inHours(1) });
      const { body } = await toggle(post_id, false);
      expect([body.message, body.data.status]).toEqual([
        'Campaign not live, and still scheduled.',
        'scheduled',
      ]);
    });

    it('changes only is_live, and no other campaign', async () => {
      const { post_id } = await create(company.api);
      const other = await create(company.api);
      await service.dataSource.query(
        `UPDATE campaign SET updated_at = '2026-01-01T00:00:00Z' WHERE post_id = $1`,
        [post_id],
      );
      const before = await stored(post_id);
      const otherBefore = await stored(other.post_id);
      await toggle(post_id, true);
      const after = await stored(post_id);
      expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
      expect(after).toEqual({
        ...before,
        is_live: true,
        status: 'live',
        version: before.version + 1,
        updated_at: expect.any(Date),
      });
      expect(await stored(other.post_id)).toEqual(otherBefore);
    });
  });

  it('requires post_id and is_live, both reported at once (section 7)', async () => {
    expectInvalid(await company.api.patch('/svc/campaign/toggle-live', {}), {
      post_id: 'required',
      is_live: 'required',
    });
  });

  it.each([
    ['"true"', 'invalid_type'],
    ['0', 'invalid_type'],
    ['null', 'null_not_allowed'],
  ])('does not coerce %s into a boolean', async (literal, code) => {
    const { post_id } = await createSurvey(company.api);
    for (const isLive of [true, false]) {
      await toggle(post_id, isLive);
      const answer = await company.api.patch(
        '/svc/campaign/toggle-live',
        `{"post_id":"${post_id}","is_live":${literal}}`,
      );
      expectInvalid(answer, { is_live: code });
      expect((await stored(post_id)).is_live).toBe(isLive);
    }
  });
});
