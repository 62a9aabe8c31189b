import { companyForAll } from '../support/fixtures';
import {
  applied,
  apply,
  COHORT_REWARDS,
  DOCUMENTS,
  Fields,
  newRef,
  storedRows,
} from '../support/documents';
import { choice, images, question } from '../support/builders';
import { service } from '../support/service';

describe('PUT /svc/campaign/apply with an invalid document', () => {
  const company = companyForAll();

  /** The refusal of a document, which writes nothing and is the same in a dry run. */
  async function refusal(document: Fields) {
    const before = await storedRows(company);
    const { status, body } = await apply(company.api, document);
    expect(await storedRows(company)).toEqual(before);
    const dry = await apply(company.api, { ...document, dry_run: true });
    const { request_id: _, ...error } = body.error!;
    expect(dry.body.error).toMatchObject(error);
    return {
      status,
      code: error.code,
      message: body.message,
      details: error.details.map(({ field, code }) => `${field} ${code}`),
    };
  }

  const stored = async (document: Fields) => {
    const external_ref = newRef();
    await applied(company.api, { external_ref, ...document });
    return external_ref;
  };

  describe('for a new campaign', () => {
    it('refuses it without the required fields, all reported at once', async () => {
      const { status, code, message, details } = await refusal({ external_ref: newRef() });
      expect([status, code]).toEqual([422, 'document_incomplete']);
      expect(details).toEqual([
        'type required',
        'title required',
        'description required',
        'category required',
        'tagline required',
        'reward_amount required',
      ]);
      expect(message).toBe(
        'No campaign has this external_ref yet, and this document cannot create it: ' +
          'type is required to create the campaign, and 5 more fields are invalid.',
      );
    });

    it.each([
      ['an advertisement without a video', { type: 'advertisement' }, ['video_url required']],
      [
        'a binary survey without its content',
        { type: 'survey', format: 'binary' },
        ['question required', 'images required'],
      ],
    ])('refuses %s', async (_, fields, missing) => {
      const { title, description, category, tagline } = DOCUMENTS.binary;
      const described = { title, description, category, tagline, reward_amount: 5 };
      const { details } = await refusal({ external_ref: newRef(), ...described, ...fields });
      expect(details).toEqual(missing);
    });

    it('refuses a reward that is not whole (section 4.1)', async () => {
      const document = { ...DOCUMENTS.binary, reward_amount: 10.5 };
      const { status, details } = await refusal({ external_ref: newRef(), ...document });
      expect([status, details]).toEqual([422, ['reward_amount not_an_integer']]);
    });

    it.each([
      ['round_robin', 2, 422, 'too_few'],
      ['binary', 1, 422, 'too_few'],
      ['binary', 3, 422, 'too_many'],
      ['image_slider', 21, 400, 'too_many'],
    ] as const)('refuses the format %s with %i images', async (format, count, refused, code) => {
      const document = { ...DOCUMENTS[format], images: images(count) };
      const { status, details } = await refusal({ external_ref: newRef(), ...document });
      expect([status, details]).toEqual([refused, [`images ${code}`]]);
    });

    it('refuses rewards whose highest differs from reward_amount (sections 7 and 8)', async () => {
      const document = { ...DOCUMENTS.questionnaire, reward_amount: 99 };
      const { status, code, details } = await refusal({ external_ref: newRef(), ...document });
      expect([status, code]).toEqual([422, 'cohort_reward_mismatch']);
      expect(details).toEqual(['cohort_rewards.cohort_5_reward differs_from_reward_amount']);
    });

    it('refuses feedback questions where has_feedback is not true (section 4.3)', async () => {
      const { has_feedback: _, ...document } = DOCUMENTS.advertisement;
      const { status, code } = await refusal({ external_ref: newRef(), ...document });
      expect([status, code]).toEqual([422, 'feedback_not_enabled']);
    });

    it('refuses fields of another kind of campaign, naming each', async () => {
      const { status, code, details } = await refusal({
        external_ref: newRef(),
        ...DOCUMENTS.questionnaire,
        has_feedback: false,
        video_url: 'https://example.com/spot.mp4',
        question: 'Which one?',
        images: images(2),
        scale: {},
      });
      expect([status, code]).toEqual([422, 'wrong_campaign_type']);
      expect(details).toEqual(
        ['has_feedback', 'video_url', 'question', 'images', 'scale'].map(
          (field) => `${field} not_for_this_campaign`,
        ),
      );
    });
  });

  it.each([
    ['another type', 'binary', { type: 'advertisement' }, 'type cannot_change'],
    ['another format', 'binary', { format: 'image_slider' }, 'format cannot_change'],
    [
      'another has_feedback',
      'advertisement',
      { has_feedback: false },
      'has_feedback cannot_change',
    ],
    ['a format', 'advertisement', { format: 'binary' }, 'format not_for_this_campaign'],
    ['a scale', 'round_robin', { scale: {} }, 'scale not_for_this_campaign'],
    ['a question', 'questionnaire', { question: 'What?' }, 'question not_for_this_campaign'],
    ['a video', 'binary', { video_url: 'https://e.org/' }, 'video_url not_for_this_campaign'],
  ] as const)('refuses %s for a campaign of kind %s', async (_, kind, fields, detail) => {
    const { status, code, details } = await refusal({
      external_ref: await stored(DOCUMENTS[kind]),
      title: 'Tea',
      ...fields,
    });
    expect([status, code]).toEqual([422, 'wrong_campaign_type']);
    expect(details).toEqual([detail]);
  });

  it('states what the campaign is and what the document would make of it', async () => {
    const external_ref = await stored(DOCUMENTS.binary);
    const { message } = await refusal({ external_ref, type: 'advertisement', duration_seconds: 3 });
    expect(message).toBe(
      'type is survey and cannot change to advertisement, and 1 more field is invalid.',
    );
  });

  it.each([
    ['another question', 'binary', { question: 'Or what?' }],
    ['other images', 'binary', { images: images(2) }],
    [
      'the images in another order',
      'binary',
      { images: (DOCUMENTS.binary.images as Fields[]).toReversed() },
    ],
    ['too many images', 'binary', { images: images(3) }],
    ['another scale', 'image_slider', { scale: {} }],
    ['questions', 'round_robin', { questions: [question()] }],
  ] as const)('refuses %s for an image survey, whose content is fixed', async (_, kind, fields) => {
    const external_ref = await stored(DOCUMENTS[kind]);
    const { status, code } = await refusal({ external_ref, title: 'Tea', ...fields });
    expect([status, code]).toEqual([422, 'questions_fixed']);
  });

  it('refuses feedback questions for an advertisement without feedback (section 4.3)', async () => {
    const { questions, ...document } = DOCUMENTS.advertisement;
    const external_ref = await stored({ ...document, has_feedback: false });
    const { status, code } = await refusal({ external_ref, questions });
    expect([status, code]).toEqual([422, 'feedback_not_enabled']);
  });

  it('refuses rewards whose highest differs from the stored reward_amount (sections 7 and 8)', async () => {
    const external_ref = await stored({ ...DOCUMENTS.binary, reward_amount: 60 });
    const { code } = await refusal({ external_ref, cohort_rewards: COHORT_REWARDS });
    expect(code).toBe('cohort_reward_mismatch');
  });

  it('refuses a document with wrong fields, naming each with its path (section 7)', async () => {
    const { status, details } = await refusal({
      external_ref: ' ',
      reward_amount: 0,
      cohort_rewards: { ...COHORT_REWARDS, cohort_1_reward: 2.99 },
      questions: [choice({ options: ['one'] })],
      is_live: 'yes',
      titel: 'Tea',
    });
    expect(status).toBe(400);
    expect(details.sort()).toEqual([
      'cohort_rewards.cohort_1_reward too_small',
      'external_ref empty',
      'is_live invalid_type',
      'questions[0].options too_few',
      'reward_amount too_small',
      'titel unknown_field',
    ]);
  });

  it('refuses a document without external_ref', async () => {
    expect((await refusal(DOCUMENTS.binary)).details).toEqual(['external_ref required']);
  });

  it('undoes everything when a late part fails', async () => {
    const external_ref = await stored(DOCUMENTS.questionnaire);
    const before = await storedRows(company);
    await service.dataSource.query(
      `ALTER TABLE question_set ADD CONSTRAINT none_more CHECK (questions::text !~ 'poison')`,
    );
    const questions = [question({ question: 'poison' })];
    const update = await apply(company.api, { external_ref, title: 'Tea', questions });
    const creation = await apply(company.api, {
      ...DOCUMENTS.questionnaire,
      external_ref: newRef(),
      questions,
    });
    await service.dataSource.query('ALTER TABLE question_set DROP CONSTRAINT none_more');
    expect([update.status, creation.status]).toEqual([500, 500]);
    expect(await storedRows(company)).toEqual(before);
  });
});
