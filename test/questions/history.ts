import { choice, createSurvey, question } from '../support/builders';
import { forgedCursors, madeUp, takeApart } from '../support/cursors';
import { companyForAll } from '../support/fixtures';

describe('GET /svc/campaign/{post_id}/questions/history (section 4.2)', () => {
  const company = companyForAll();

  const pathOf = (postId: string) => `/svc/campaign/${postId}/questions/history`;

  /** Creates a survey with this many question sets; returns the sets' identifiers, oldest first. */
  async function surveyWithSets(count: number): Promise<{ postId: string; questionIds: string[] }> {
    const { post_id: postId } = await createSurvey(company.api);
    const questionIds: string[] = [];
    for (let version = 1; version <= count; version += 1) {
      const { body } = await company.api.post('/svc/survey/questions', {
        post_id: postId,
        questions: [question({ question: `Version ${version}?` })],
      });
      questionIds.push(body.data.question_id);
    }
    return { postId, questionIds };
  }

  it('is empty if no questions were set', async () => {
    const { post_id } = await createSurvey(company.api);
    const { status, body } = await company.api.get(pathOf(post_id));
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Question history found.',
      data: { items: [], next_cursor: null },
    });
  });

  it('returns every set ever stored, newest first, and which one is current', async () => {
    const { post_id } = await createSurvey(company.api);
    const first = [question(), choice({ options: ['light', 'dark'] })];
    const second = [question({ type: 'descriptive', question: 'Why?' })];
    const ids: string[] = [];
    for (const questions of [first, second]) {
      const { body } = await company.api.post('/svc/survey/questions', { post_id, questions });
      ids.push(body.data.question_id);
    }
    const { body } = await company.api.get(pathOf(post_id));
    const [newer, older] = body.data.items;
    expect(body.data).toEqual({
      items: [
        {
          question_id: ids[1],
          version: 2,
          is_current: true,
          total_questions: 1,
          questions: second,
          created_at: expect.any(String),
        },
        {
          question_id: ids[0],
          version: 1,
          is_current: false,
          total_questions: 2,
          questions: first,
          created_at: expect.any(String),
        },
      ],
      next_cursor: null,
    });
    expect(newer.created_at >= older.created_at).toBe(true);
  });

  it('continues with next_cursor until it is null, each set once, whatever the limit', async () => {
    const { postId, questionIds } = await surveyWithSets(5);
    const sizes: number[] = [];
    const seen: string[] = [];
    let cursor: string | null = null;
    for (const limit of [2, 1, 3]) {
      const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { body } = await company.api.get(`${pathOf(postId)}?${query}`);
      sizes.push(body.data.items.length);
      seen.push(...body.data.items.map((set: any) => set.question_id));
      cursor = body.data.next_cursor;
    }
    expect(sizes).toEqual([2, 1, 2]);
    expect(seen).toEqual([...questionIds].reverse());
    expect(cursor).toBeNull();
  });

  it('keeps its position when the questions are replaced between two pages', async () => {
    const { postId, questionIds } = await surveyWithSets(3);
    const { body: page } = await company.api.get(`${pathOf(postId)}?limit=1`);
    await company.api.post('/svc/survey/questions', { post_id: postId, questions: [question()] });
    const { body } = await company.api.get(`${pathOf(postId)}?cursor=${page.data.next_cursor}`);
    expect(body.data.items.map((set: any) => set.question_id)).toEqual([
      questionIds[1],
      questionIds[0],
    ]);
  });

  it('refuses the cursor of another campaign', async () => {
    const [one, other] = [await surveyWithSets(2), await surveyWithSets(2)];
    const { body } = await company.api.get(`${pathOf(one.postId)}?limit=1`);
    const answer = await company.api.get(`${pathOf(other.postId)}?cursor=${body.data.next_cursor}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'cursor', code: 'cursor_mismatch' }],
    });
  });

  it('refuses every forged cursor as invalid', async () => {
    const { postId } = await surveyWithSets(2);
    const { body } = await company.api.get(`${pathOf(postId)}?limit=1`);
    for (const cursor of forgedCursors(body.data.next_cursor)) {
      const answer = await company.api.get(`${pathOf(postId)}?cursor=${cursor}`);
      expect([cursor, answer.status, answer.body.error?.details[0]?.field]).toEqual([
        cursor,
        400,
        'cursor',
      ]);
    }
  });

  it('accepts any number as a version, however large', async () => {
    const { postId } = await surveyWithSets(2);
    const { body: page } = await company.api.get(`${pathOf(postId)}?limit=1`);
    const { list } = takeApart(page.data.next_cursor);
    const found = async (version: string) => {
      const cursor = madeUp({ after: [version], list });
      const { status, body } = await company.api.get(`${pathOf(postId)}?cursor=${cursor}`);
      return [status, body.data.items.length];
    };
    expect(await found('9'.repeat(18))).toEqual([200, 2]);
    expect(await found('2147483648')).toEqual([200, 2]);
    expect(await found('0')).toEqual([200, 0]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=', 'cursor'],
    ['version=1', 'version'],
  ])('refuses ?%s, naming %s', async (query, field) => {
    const { post_id } = await createSurvey(company.api);
    const { status, body } = await company.api.get(`${pathOf(post_id)}?${query}`);
    expect(status).toBe(400);
    expect(body.error?.details.map((detail) => detail.field)).toEqual([field]);
  });
});
