import { choice, createSurvey, question, survey } from './support/builders';
import { registerCompany, TestCompany } from './support/client';
import { startService, TestService } from './support/service';

describe('versions of a campaign', () => {
  let service: TestService;
  let company: TestCompany;

  beforeAll(async () => {
    service = await startService();
    company = await registerCompany(service.client);
  });

  afterAll(() => service.close());

  const rewards = (post_id: string) => ({
    post_id,
    cohort_1_reward: 4,
    cohort_2_reward: 40,
    cohort_3_reward: 60,
    cohort_4_reward: 80,
    cohort_5_reward: 100,
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

  it('every read and write answers the version as an ETag', async () => {
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

  it.each(writes)(
    '%s with If-Match of the current version is done',
    async (_, method, path, body) => {
      const { post_id } = await createSurvey(company.api);
      const answer = await company.api
        .with({ 'if-match': '"7", "1"' })
        .send(method, path, body(post_id));
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"2"']);
    },
  );

  it.each(writes)(
    '%s that is behind is refused, and changes nothing',
    async (_, method, path, body) => {
      const { post_id } = await createSurvey(company.api);
      await company.api.patch('/svc/campaign/update', { post_id, tagline: 'Changed since' });
      const before = (await read(post_id)).body.data;
      for (const tag of ['"1"', 'W/"2"', '"nonsense"', '"99999999999999999999"']) {
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

  it('of many writes at once with the same If-Match, one is done', async () => {
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

  it('a write that changes nothing is no new version', async () => {
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

  it('If-Match works for documents too, and refuses to create', async () => {
    const document = { ...survey(), external_ref: 'doc', type: 'survey', questions: [choice()] };
    const behind = company.api.with({ 'if-match': '"5"' });
    expect((await behind.put('/svc/campaign/apply', document)).status).toBe(412);
    const created = await company.api.put('/svc/campaign/apply', document);
    expect(created.headers.get('etag')).toBe('"2"');
    const changed = { ...document, title: 'Other' };
    expect((await behind.put('/svc/campaign/apply', changed)).status).toBe(412);
    const current = company.api.with({ 'if-match': '"2"' });
    expect((await current.put('/svc/campaign/apply', changed)).headers.get('etag')).toBe('"3"');
  });
});
