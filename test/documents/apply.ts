import {
  applied,
  apply,
  COHORT_REWARDS,
  DOCUMENTS,
  Fields,
  newRef,
  storedRows,
} from '../support/documents';
import { choice, images, ladder, question, survey } from '../support/builders';
import { campaignStatus, LIVE } from '../support/life';
import { registerCompany } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

const NAMES = Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[];

describe('PUT /svc/campaign/apply', () => {
  const company = companyForAll();

  const create = async (document: Fields): Promise<{ external_ref: string; post_id: string }> => {
    const external_ref = newRef();
    const { post_id } = await applied(company.api, { external_ref, ...document });
    return { external_ref, post_id: post_id as string };
  };

  const read = async (post_id: unknown, part = '') => {
    return (await company.api.get(`/svc/campaign/${post_id as string}${part}`)).data;
  };

  it('returns exactly what changed, and where the campaign is in its life', async () => {
    const external_ref = newRef();
    const { status, body } = await apply(company.api, {
      external_ref: `  ${external_ref} `,
      ...DOCUMENTS.questionnaire,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Campaign created from the document.',
      data: {
        post_id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
        external_ref,
        result: 'created',
        changed_fields: expect.any(Array),
        dry_run: false,
        ...LIVE,
      },
    });
  });

  it.each(NAMES)('creates a campaign of kind %s from its document', async (name) => {
    const {
      question: imageQuestion,
      images: shown,
      scale,
      ...document
    } = DOCUMENTS[name] as Fields;
    const { post_id } = await create(DOCUMENTS[name]);
    const { questions, cohort_rewards, ...fields } = document;
    const campaign = await read(post_id);
    expect(campaign).toMatchObject({ is_live: false, ...fields });
    expect(campaign.cohort_rewards).toEqual(cohort_rewards ?? ladder(3, 40, 60, 80, 100));
    const content = await read(post_id, '/questions');
    expect(content.questions).toEqual(questions ?? []);
    expect(content.image_survey ?? {}).toMatchObject(
      shown === undefined
        ? {}
        : { question: imageQuestion, images: shown, ...(scale === undefined ? {} : { scale }) },
    );
  });

  it.each(NAMES)('changes nothing when a document of kind %s is sent again', async (name) => {
    const external_ref = newRef();
    const document = { external_ref, ...DOCUMENTS[name] };
    const { post_id } = await applied(company.api, document);
    const before = await storedRows(company);
    const { status, body } = await apply(company.api, document);
    expect([status, body.message]).toEqual([200, 'The campaign matches the document.']);
    expect(body.data).toEqual({
      post_id,
      external_ref,
      result: 'unchanged',
      changed_fields: [],
      dry_run: false,
      mode: 'live',
      ...(await campaignStatus(company.api, post_id as string)),
    });
    expect(await storedRows(company)).toEqual(before);
  });

  it.each(NAMES)('lists every field of a new campaign of kind %s', async (name) => {
    const document = DOCUMENTS[name];
    const { changed_fields } = await applied(company.api, { external_ref: newRef(), ...document });
    expect(new Set(changed_fields as string[])).toEqual(
      new Set([...Object.keys(document), 'cohort_rewards', 'is_live']),
    );
    expect(changed_fields).toHaveLength(new Set(changed_fields as string[]).size);
  });

  it('lists the defaulted fields of a new campaign, and none without a value', async () => {
    const lists = await Promise.all(
      [
        survey({ type: 'survey', content_url: null }),
        survey({ type: 'advertisement', video_url: 'https://example.com/spot.mp4' }),
        survey({ type: 'survey', format: 'image_slider', question: 'How?', images: images(1) }),
      ].map(async (document) => {
        const answer = await applied(company.api, { external_ref: newRef(), ...document });
        return answer.changed_fields as string[];
      }),
    );
    expect(lists[0]).toContain('format');
    expect(lists[0]).not.toContain('content_url');
    expect(lists[1]).toContain('has_feedback');
    expect(lists[1]).not.toContain('thumbnail_url');
    expect(lists[2]).toContain('scale');
  });

  const LONE_CHANGES: [string, keyof typeof DOCUMENTS, Fields, string[]][] = [
    ['title', 'questionnaire', { title: 'Tea habits' }, ['title']],
    ['description', 'binary', { description: 'Other.' }, ['description']],
    ['category', 'advertisement', { category: 'drinks' }, ['category']],
    ['tagline', 'image_slider', { tagline: 'Other' }, ['tagline']],
    ['content_url', 'questionnaire', { content_url: null }, ['content_url']],
    ['reward_amount', 'round_robin', { reward_amount: 99.99 }, ['reward_amount', 'cohort_rewards']],
    ['the reward of custom rewards', 'questionnaire', { reward_amount: 100 }, ['cohort_rewards']],
    ['cohort_rewards', 'binary', { cohort_rewards: COHORT_REWARDS }, ['cohort_rewards']],
    ['video_url', 'advertisement', { video_url: 'https://example.com/b.mp4' }, ['video_url']],
    ['thumbnail_url', 'advertisement', { thumbnail_url: 'https://a.example/' }, ['thumbnail_url']],
    ['duration_seconds', 'advertisement', { duration_seconds: 31 }, ['duration_seconds']],
    ['is_live', 'questionnaire', { is_live: false }, ['is_live']],
    ['starts_at', 'advertisement', { starts_at: '2099-01-02T09:00:00.000Z' }, ['starts_at']],
    ['ends_at', 'advertisement', { ends_at: null }, ['ends_at']],
    ['max_responses', 'advertisement', { max_responses: 501 }, ['max_responses']],
    ['budget', 'questionnaire', { budget: 0.01 }, ['budget']],
    ['questions', 'advertisement', { questions: [choice()] }, ['questions']],
    [
      'several fields',
      'questionnaire',
      { is_live: false, title: 'Tea', category: 'food', questions: [question()] },
      ['title', 'is_live', 'questions'],
    ],
  ];

  it.each(LONE_CHANGES)('changes %s (%s) and leaves the rest', async (_, kind, fields, changed) => {
    const { external_ref, post_id } = await create(DOCUMENTS[kind]);
    const before = await read(post_id);
    const answer = await applied(company.api, { external_ref, ...fields });
    const after = await read(post_id);
    expect(answer).toEqual({
      post_id,
      external_ref,
      result: 'updated',
      changed_fields: changed,
      dry_run: false,
      mode: 'live',
      ...(await campaignStatus(company.api, post_id)),
    });
    const differing = Object.keys(after).filter(
      (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    );
    const expected = changed.filter((name) => name !== 'questions');
    expect(
      differing
        .filter((name) => !/^(updated_at|question.*|status.*|stop_reason)$/.test(name))
        .sort(),
    ).toEqual(expected.sort());
    expect(after).toMatchObject(
      Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'questions')),
    );
    expect((await applied(company.api, { external_ref, ...fields })).result).toBe('unchanged');
  });

  it('accepts a reward with decimals in an update, and the ladder follows it (section 2.3)', async () => {
    const { external_ref, post_id } = await create(DOCUMENTS.binary);
    await applied(company.api, { external_ref, reward_amount: 99.99 });
    expect((await read(post_id)).cohort_rewards).toEqual(ladder(3, 40, 59.99, 79.99, 99.99));
  });

  it('stores another question set as a new version and keeps the earlier ones', async () => {
    const { external_ref, post_id } = await create(DOCUMENTS.questionnaire);
    const questions = [question({ question: 'Milk?' })];
    await applied(company.api, { external_ref, questions });
    await applied(company.api, { external_ref, questions });
    const { items } = await read(post_id, '/questions/history');
    expect(items).toMatchObject([
      { version: 2, is_current: true, questions },
      { version: 1, is_current: false, questions: DOCUMENTS.questionnaire.questions },
    ]);
    expect(items).toHaveLength(2);
  });

  it('treats equivalent content as unchanged', async () => {
    const { external_ref } = await create({ ...DOCUMENTS.questionnaire, questions: [question()] });
    const { result } = await applied(company.api, {
      external_ref,
      title: '  Coffee habits ',
      questions: [{ ...question(), options: [] }],
    });
    expect(result).toBe('unchanged');
  });

  it('treats a negative zero on a scale as zero', async () => {
    const document = `{
      "external_ref": "${newRef()}", "type": "survey", "format": "image_slider", "title": "t",
      "description": "d", "category": "c", "tagline": "t", "reward_amount": 10, "question": "q",
      "images": [{ "url": "https://example.com/" }], "scale": { "min": -0.0, "max": 1 } }`;
    const send = async () => (await company.api.send('PUT', '/svc/campaign/apply', document)).body;
    expect((await send()).data.result).toBe('created');
    expect((await send()).data.result).toBe('unchanged');
  });

  it('finds a campaign by its reference, which is unique within the company only', async () => {
    const other = await registerCompany(service.client);
    const external_ref = newRef();
    const document: Fields = { external_ref, ...DOCUMENTS.binary };
    const mine = await applied(company.api, document);
    const theirs = await applied(other.api, document);
    expect(theirs.result).toBe('created');
    expect(theirs.post_id).not.toBe(mine.post_id);
    await applied(other.api, { external_ref, title: 'Theirs' });
    expect((await read(mine.post_id)).title).toBe(document.title);
  });
});
