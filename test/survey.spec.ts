import { createSurvey, survey } from './support/builders';
import { registerCompany, TestCompany } from './support/client';
import { startService, TestService } from './support/service';

describe('POST /svc/survey/create (section 4.1)', () => {
  let service: TestService;
  let company: TestCompany;

  beforeAll(async () => {
    service = await startService();
    company = await registerCompany(service.client);
  });

  afterAll(() => service.close());

  it('answers exactly id, post_id, type, title and is_live', async () => {
    const { status, body } = await company.api.post('/svc/survey/create', survey());
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Survey campaign created.',
      data: {
        id: expect.any(Number),
        post_id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
        type: 'survey',
        title: 'Coffee habits',
        is_live: false,
      },
    });
  });

  it('numbers campaigns upwards', async () => {
    const first = await createSurvey(company.api);
    const second = await createSurvey(company.api);
    expect(second.id).toBeGreaterThan(first.id);
    expect(second.post_id > first.post_id).toBe(true);
  });
});
