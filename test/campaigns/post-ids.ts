import { PostIds } from '../../src/campaigns/campaign/post-ids.service';
import type { StoredId } from '../../src/platform/database/identifiers';
import {
  environmentOf,
  MODES,
  storedEnvironment,
} from '../../src/platform/caller/environment.rules';
import {
  anyPostId,
  createAdvertisement,
  createImageSurvey,
  createSurvey,
} from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { applied, DOCUMENTS, newRef } from '../support/documents';
import { begin } from '../support/fielding';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

const CREATIONS: [string, (api: Client) => Promise<{ post_id: string }>][] = [
  ['a survey', createSurvey],
  ['an advertisement', createAdvertisement],
  ['a round-robin image survey', (api) => createImageSurvey(api, 'round-robin')],
  ['a binary image survey', (api) => createImageSurvey(api, 'binary')],
  ['an image slider', (api) => createImageSurvey(api, 'slider')],
  [
    'a duplicate',
    async (api) => {
      const { post_id } = await createSurvey(api);
      return (await api.post('/svc/campaign/duplicate', { post_id })).body.data;
    },
  ],
  [
    'a campaign document',
    async (api) => {
      const { post_id } = await applied(api, {
        external_ref: newRef(),
        ...DOCUMENTS.questionnaire,
      });
      return { post_id: String(post_id) };
    },
  ],
];

describe.each(MODES)('the post_id of a %s campaign', (mode) => {
  let owner: TestCompany;
  let api: Client;
  let stranger: TestCompany;
  let platform: Client;

  beforeAll(async () => {
    owner = await registerCompany(service.client);
    ({ api } = await generateKey(owner.account, service.client, { mode }));
    stranger = await registerCompany(service.client);
    platform = await platformClient(service);
  });

  const readBy = (client: Client, postId: string) => client.get(`/svc/campaign/${postId}`);

  /** By another company, and by the first request of a platform for it, unless it is for tests. */
  async function expectFound(postId: string): Promise<void> {
    expectError(await readBy(stranger.api, postId), 403, 'campaign_not_owned');
    const { error } = (await begin(platform, postId, 'ann')).body;
    expect(error?.code === 'campaign_not_found').toBe(mode === 'test');
  }

  async function expectNowhere(postId: string): Promise<void> {
    for (const client of [api, stranger.api]) {
      expectError(await readBy(client, postId), 404, 'campaign_not_found');
    }
    expectError(await begin(platform, postId, 'ann'), 404, 'campaign_not_found');
  }

  it.each(CREATIONS)('tells whose it is: %s', async (_, create) => {
    const { post_id } = await create(api);
    await expectFound(post_id);
  });

  it('tells whose it is, although other company_ids end alike', async () => {
    const { post_id } = await createSurvey(api);
    const postIds = service.app.get(PostIds);
    const end = (storedEnvironment(owner.companyId) as unknown as string).slice(-7);
    for (const start of ['00000000-0000-7000-8000-00000', 'ffffffff-ffff-7fff-bfff-fffff']) {
      const other = (start + end) as unknown as StoredId;
      await service.dataSource.query(
        `INSERT INTO company (company_id, name, email, password_hash)
         VALUES ($1, 'A', gen_random_uuid() || '@example.com', '-')`,
        [other],
      );
      const environment = environmentOf(other, mode);
      const theirs = postIds.create(environment);
      await expectNowhere(theirs);
      await service.dataSource.query(
        `INSERT INTO campaign (company_id, post_id, type, format, title, description, category,
           tagline, reward_amount, cohort_rewards, updated_by)
         VALUES ($1, $2, 'survey', 'questionnaire', 't', 'd', 'c', 't', 100, '{3,40,60,80,100}', 'key_x')`,
        [environment, theirs],
      );
      expectError(await readBy(api, theirs), 403, 'campaign_not_owned');
      await expectFound(theirs);
    }
    await expectFound(post_id);
  });

  it('finds nothing if it names no campaign of its company, or is invented or changed', async () => {
    const { post_id } = await createSurvey(api);
    const environment = environmentOf(storedEnvironment(owner.companyId)!, mode);
    const changed = post_id.slice(0, -1) + (post_id.endsWith('0') ? '1' : '0');
    for (const nothing of [service.app.get(PostIds).create(environment), anyPostId(), changed]) {
      await expectNowhere(nothing);
    }
  });
});
