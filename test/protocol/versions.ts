import { choice, createSurvey, ladder, question, survey } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';

describe('the version of a campaign', () => {
  const company = companyForAll();

  const rewards = (post_id: string) => ({
    post_id,
    ...ladder(4, 40, 60, 80, 100),
  });

  const writes: [string, string, string, (post_id: string) => object][] = [
    ['update', 'PATCH', '/svc/campaign/update', (post_id) => ({ post_id, title: 'New' })],
    ['cohort rewards', 'PATCH', '/svc/campaign/cohort-rewards', rewards],
    ['toggling', 'PATCH', '/svc/campaign/toggle-live', (post_id) => ({ post_id, is_live: true })],
    [
      'questions',
      'POST',
      '/svc/survey/questions',
      (post_id) => ({ post_id, questions: [question()] }),
    ],
  ];

  const read = (post_id: string) => company.api.get(`/svc/campaign/${post_id}`);

  it('is returned as an ETag by every read and write', async () => {
    const created = await company.api.post('/svc/survey/create', survey());
    const { post_id } = created.body.data;
    expect(created.headers.get('etag')).toBe('"1"');
    expect((await read(post_id)).headers.get('etag')).toBe('"1"');
    let version = 1;
    for (const [, method, path, body] of writes) {
      version += 1;
      const { headers } = await company.api.send(method, path, body(post_id));
      expect([path, headers.get('etag')]).toEqual([path, `"${version}"`]);
      expect((await read(post_id)).headers.get('etag')).toBe(`"${version}"`);
    }
    const questions = await company.api.get(`/svc/campaign/${post_id}/questions`);
    expect(questions.headers.get('etag')).toBe(`"${version}"`);
  });

  it.each(writes)('lets %s with a current If-Match through', async (_, method, path, body) => {
    const { post_id } = await createSurvey(company.api);
    const answer = await company.api
      .with({ 'if-match': '"7", "1"' })
      .send(method, path, body(post_id));
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"2"']);
  });

  it.each(writes)(
    'refuses %s with an outdated If-Match and changes nothing',
    async (_, method, path, body) => {
      const { post_id } = await createSurvey(company.api);
      await company.api.patch('/svc/campaign/update', { post_id, tagline: 'Changed since' });
      const before = (await read(post_id)).body.data;
      for (const tag of ['"1"', '"02"', 'W/"2"', '"nonsense"', '"99999999999999999999"']) {
        const answer = await company.api
          .with({ 'if-match': tag })
          .send(method, path, body(post_id));
        expect([tag, answer.status, answer.body.error?.code]).toEqual([
          tag,
          412,
          'version_conflict',
        ]);
      }
      expect((await read(post_id)).body.data).toEqual(before);
    },
  );

  it.each(['2', '"2', '"1" "2"', '"1", 2', '* , "2"', ''])(
    'refuses If-Match: %s, which is no list of entity tags',
    async (tag) => {
      const { post_id } = await createSurvey(company.api);
      const answer = await company.api
        .with({ 'if-match': tag })
        .patch('/svc/campaign/update', { post_id, title: 'New' });
      expectInvalid(answer, { 'If-Match': 'not_allowed' });
      expect((await read(post_id)).headers.get('etag')).toBe('"1"');
    },
  );

  it('lets one of many concurrent writes with the same If-Match through', async () => {
    const { post_id } = await createSurvey(company.api);
    const api = company.api.with({ 'if-match': '"1"' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (__, i) =>
        api.patch('/svc/campaign/update', { post_id, title: `Title ${i}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(412)]);
  });

  it('does not change by a write that changes nothing', async () => {
    const { post_id } = await createSurvey(company.api);
    const before = (await read(post_id)).body.data;
    const toggled = await company.api.patch('/svc/campaign/toggle-live', {
      post_id,
      is_live: false,
    });
    expect(toggled.headers.get('etag')).toBe('"1"');
    await company.api.patch('/svc/campaign/update', { post_id, title: before.title });
    expect((await read(post_id)).body.data).toEqual(before);
  });

  it('is checked for documents too, and If-Match refuses to create', async () => {
    const document = { ...survey(), external_ref: 'doc', type: 'survey', questions: [choice()] };
    const behind = company.api.with({ 'if-match': '"5"' });
    const existing = company.api.with({ 'if-match': '*' });
    for (const api of [behind, existing]) {
      expect((await api.put('/svc/campaign/apply', document)).status).toBe(412);
    }
    const created = await company.api.put('/svc/campaign/apply', document);
    expect(created.headers.get('etag')).toBe('"2"');
    const changed = { ...document, title: 'Other' };
    expect((await behind.put('/svc/campaign/apply', changed)).status).toBe(412);
    const current = company.api.with({ 'if-match': '"2"' });
    expect((await current.put('/svc/campaign/apply', changed)).headers.get('etag')).toBe('"3"');
    const again = { ...document, title: 'Another' };
    expect((await existing.put('/svc/campaign/apply', again)).headers.get('etag')).toBe('"4"');
  });

  it('"0" lets a document create a campaign, and change none', async () => {
    const document = { ...survey({ title: 'First' }), external_ref: 'new', type: 'survey' };
    const absent = company.api.with({ 'if-match': '"0"' });
    const created = await absent.put('/svc/campaign/apply', document);
    expect(created.data.result).toBe('created');
    for (const title of ['Other', 'First']) {
      const again = await absent.put('/svc/campaign/apply', { ...document, title });
      expectError(again, 412, 'version_conflict');
    }
    const { post_id } = created.data;
    const update = { post_id, title: 'Other' };
    expectError(await absent.patch('/svc/campaign/update', update), 412, 'version_conflict');
    expect((await read(post_id)).body.data.title).toBe('First');
  });
});
