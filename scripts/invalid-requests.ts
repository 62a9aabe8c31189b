const UNKNOWN = '01k9x2v8zdf3xbz0q4v5rk6t7z';

/** An identifier of a kind that belongs to nothing. */
export const unknownId = (kind: string): string => `${kind}_${UNKNOWN}`;

const TOO_LONG = 'x'.repeat(101);
const ONE_IMAGE = [{ url: 'https://example.com/a.png' }];

/**
 * What makes a request of each operation invalid: members of its body, path or query. The errors
 * are examples of `validation_failed`, recorded together with the success.
 */
export const INVALID_REQUESTS: Readonly<Record<string, Record<string, unknown>>> = {
  registerCompany: { password: 'too short' },
  logIn: { email: 'research' },
  getCompany: { fields: 'name' },
  generateApiKey: { scopes: ['campaigns:delete'] },
  rotateApiKey: { overlap_seconds: 100_000 },
  revokeApiKey: { key_id: undefined },
  createSurvey: { tagline: undefined, reward_amount: 99.5 },
  setSurveyQuestions: {
    questions: [{ type: 'single_choice', question: 'Milk?', options: ['Yes'] }],
  },
  getQuestions: { post_id: `post_${'0'.repeat(100)}` },
  updateCampaign: { reward_amount: 0 },
  updateCohortRewards: { cohort_1_reward: 2 },
  toggleLive: { is_live: 'true' },
  getCampaign: { post_id: `post_${'0'.repeat(100)}` },
  checkLaunch: { post_id: `post_${'0'.repeat(100)}` },
  listEvents: { types: undefined, limit: 5000 },
  getEvent: { event_id: TOO_LONG },
  createAdvertisement: { video_url: 'spot.mp4' },
  setAdvertisementQuestions: { questions: [] },
  createWebhook: { url: 'example.com/webhooks', event_types: ['campaign.deleted'] },
  updateWebhook: { enabled: 'yes' },
  rotateWebhookSecret: { webhook_id: undefined },
  testWebhook: { webhook_id: undefined },
  listWebhooks: { limit: 20 },
  getWebhook: { webhook_id: TOO_LONG },
  listWebhookDeliveries: { status: 'lost' },
  replayWebhook: { event_id: unknownId('evt') },
  deleteWebhook: { webhook_id: undefined },
  createRoundRobinSurvey: { images: ONE_IMAGE },
  createBinarySurvey: { images: ONE_IMAGE },
  createImageSliderSurvey: { scale: { min: 0, max: 10, step: 3 } },
  previewCohortRewards: {
    cohort_shares: { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.2, cohort_5: 0.1 },
  },
  applyCampaign: { video_url: 'x' },
  createGuardrail: { when: { all: [{ metric: 'spent', op: 'gt', value: 5_000, last: 100 }] } },
  listGuardrails: { post_id: TOO_LONG },
  getGuardrail: { guardrail_id: TOO_LONG },
  backtestGuardrail: { limit: 0 },
  updateGuardrail: { then: 'refund' },
  armGuardrail: { guardrail_id: undefined },
  deleteGuardrail: { guardrail_id: undefined },
  forecastCampaign: { runs: 10_000, respondents: 5_000 },
  simulateCampaign: { respondents: 5_000 },
  duplicateCampaign: { title: '' },
  archiveCampaign: { post_id: undefined },
  unarchiveCampaign: { post_id: undefined },
  listFielding: { limit: 20, respondent_id: undefined },
  setTargeting: {
    attributes: [{ name: 'age', type: 'number' }],
    quotas: [{ name: 'women', when: { gender: ['female'] }, limit: 0 }],
  },
  listFieldingFor: { attributes: { age: 18.5 } },
  getTargeting: { post_id: `post_${'0'.repeat(100)}` },
  getQuotas: { post_id: `post_${'0'.repeat(100)}` },
  beginParticipation: { respondent_id: '' },
  submitParticipation: {
    answers: [
      { question: 1, value: 'Five' },
      { question: 2, value: 'Good water' },
    ],
  },
  reverseParticipation: { reason: undefined },
  getParticipation: { participation_id: TOO_LONG },
  getRespondent: { limit: 20, respondent_id: undefined },
  abandonParticipation: { participation_id: undefined },
  listResponses: { cohort: 6 },
  getResponse: { participation_id: TOO_LONG },
  getCampaignResults: { weights: '1,1' },
  getCrosstab: { rows: undefined },
  compareWaves: { compare: undefined },
  getPlatformScores: { post_id: `post_${'0'.repeat(100)}` },
  createResultsLink: { expires_at: '2099-12-31T23:59:59Z' },
  getResultsLink: { link_id: TOO_LONG },
  revokeResultsLink: { link_id: undefined },
  createPreviewLink: { language: 'not a language' },
  getPreviewLink: { link_id: TOO_LONG },
  revokePreviewLink: { link_id: undefined },
  listTransfers: { created_after: 'yesterday' },
  reconcileLedger: { cursor: 'x' },
  eraseRespondent: { respondent_id: '' },
  getReceiptKeys: { key_id: 'latest' },
};
