import { createSurvey } from '../support/builders';
import { Answer, Client } from '../support/client';
import { allEvents } from '../support/feed';
import { companyForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { service } from '../support/service';

/** The limits that clients ask for. */
const LIMITS = [1, 2, 3, 7, 19, 20, 21, 22, 50, 99, 100];

/** Those that the statements have: one for 1, one up to 20, and one up to 100. */
const STATEMENTS = 3;

interface Caller {
  api: Client;
  account: Client;
  postId: string;
  keyId: string;
  webhookId: string;
}

/** Reads a list with a limit. */
type Read = (caller: Caller, limit: number) => Promise<Answer>;

const READS: Record<string, Read> = {
  'the events': ({ api }, limit) => api.get(`/svc/event/list?limit=${limit}`),
  'the campaigns': ({ api }, limit) => api.get(`/svc/campaign/list?limit=${limit}`),
  'the history of a campaign': ({ api, postId }, limit) =>
    api.get(`/svc/campaign/${postId}/history?limit=${limit}`),
  'the history of questions': ({ api, postId }, limit) =>
    api.get(`/svc/campaign/${postId}/questions/history?limit=${limit}`),
  'the responses': ({ api, postId }, limit) =>
    api.get(`/svc/campaign/${postId}/responses?limit=${limit}`),
  'the results links': ({ api }, limit) =>
    api.get(`/svc/campaign/results-link/list?limit=${limit}`),
  'the preview links': ({ api }, limit) =>
    api.get(`/svc/campaign/preview-link/list?limit=${limit}`),
  'the deliveries': ({ api, webhookId }, limit) =>
    api.get(`/svc/webhook/${webhookId}/deliveries?limit=${limit}`),
  'the transfers': ({ api }, limit) => api.get(`/svc/ledger/list?limit=${limit}`),
  'the transfers of a campaign': ({ api, postId }, limit) =>
    api.get(`/svc/ledger/list?post_id=${postId}&limit=${limit}`),
  'the API keys': ({ account }, limit) => account.get(`/svc/api-key/list?limit=${limit}`),
  'the history of an API key': ({ account, keyId }, limit) =>
    account.get(`/svc/api-key/${keyId}/history?limit=${limit}`),
  "a respondent's participations": ({ api }, limit) =>
    api.get(`/svc/fielding/respondent?respondent_id=someone&limit=${limit}`),
  'a backtest': ({ api, postId }, limit) =>
    api.post('/svc/guardrail/backtest', {
      when: { all: [{ metric: 'spent', op: 'gt', value: 1 }] },
      post_id: postId,
      limit,
    }),
};

/**
 * The most texts that differ in nothing but their numbers. Background work, which runs at the same
 * time, has one text for each of its statements.
 */
function variantsIn(texts: ReadonlySet<string>): number {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const rest = text.replaceAll(/\d+/g, '#');
    counts.set(rest, (counts.get(rest) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

describe('the limit of a page', () => {
  const company = companyForAll();
  const caller = {} as Caller;

  beforeAll(async () => {
    const { api, key_id: keyId } = await generateKey(company.account, service.client, {
      mode: 'test',
    });
    const { post_id: postId } = await createSurvey(api);
    const url = 'https://example.com/webhooks';
    const { webhook_id: webhookId } = (await api.post('/svc/webhook/create', { url })).data;
    // Otherwise the feed has nothing to read.
    await allEvents(api, 2);
    Object.assign(caller, { api, account: company.account, postId, keyId, webhookId });
  });

  afterEach(() => jest.restoreAllMocks());

  it.each(Object.entries(READS))('makes few statements of %s', async (_, read) => {
    const texts = new Set<string>();
    jest.spyOn(service.dataSource.logger, 'logQuery').mockImplementation((text) => {
      texts.add(text);
    });
    for (const limit of LIMITS) {
      expect((await read(caller, limit)).data.items.length).toBeLessThanOrEqual(limit);
    }
    expect(variantsIn(texts)).toBe(STATEMENTS);
  });
});
