import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { service } from '../support/service';

const MAXIMUM = 20;

describe('links to results pages that are created at once', () => {
  it('are at most 20', async () => {
    const { api } = await registerCompany(service.client);
    const { post_id } = await createSurvey(api);
    const answers = await Promise.all(
      Array.from({ length: MAXIMUM + 5 }, () =>
        api.post('/svc/campaign/results-link', { post_id }),
      ),
    );
    const codes = answers.map(({ body }) => body.error?.code);
    expect(codes.filter((code) => code === undefined)).toHaveLength(MAXIMUM);
    expect(codes.filter((code) => code === 'too_many_results_links')).toHaveLength(5);
  });
});
