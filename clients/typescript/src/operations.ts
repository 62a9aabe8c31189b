/**
 * This file was generated from openapi.json and package.json by `npm run client`.
 * Do not edit it.
 */
import type { operations } from './schema.js';

/** The version of this package. */
export const VERSION = '0.1.0';

/** The kind of credential that a request is sent with. */
export type Scheme = 'account_token' | 'api_key' | 'platform_key';

export type Route = readonly [method: string, path: string, credential: Scheme | null];

/** The operations of the service; those of webhooks are the client's own. */
export const OPERATIONS = {
  abandonParticipation: ["POST", "/svc/fielding/abandon", "platform_key"],
  applyCampaign: ["PUT", "/svc/campaign/apply", "api_key"],
  archiveCampaign: ["POST", "/svc/campaign/archive", "api_key"],
  armGuardrail: ["POST", "/svc/guardrail/arm", "api_key"],
  backtestGuardrail: ["POST", "/svc/guardrail/backtest", "api_key"],
  beginParticipation: ["POST", "/svc/fielding/begin", "platform_key"],
  checkLaunch: ["GET", "/svc/campaign/{post_id}/launch-check", "api_key"],
  createAdvertisement: ["POST", "/svc/advertisement/create", "api_key"],
  createBinarySurvey: ["POST", "/svc/image-survey/binary", "api_key"],
  createGuardrail: ["POST", "/svc/guardrail/create", "api_key"],
  createImageSliderSurvey: ["POST", "/svc/image-survey/slider", "api_key"],
  createPreviewLink: ["POST", "/svc/campaign/preview-link", "api_key"],
  createResultsLink: ["POST", "/svc/campaign/results-link", "api_key"],
  createRoundRobinSurvey: ["POST", "/svc/image-survey/round-robin", "api_key"],
  createSurvey: ["POST", "/svc/survey/create", "api_key"],
  createWebhook: ["POST", "/svc/webhook/create", "api_key"],
  deleteGuardrail: ["POST", "/svc/guardrail/delete", "api_key"],
  deleteWebhook: ["POST", "/svc/webhook/delete", "api_key"],
  duplicateCampaign: ["POST", "/svc/campaign/duplicate", "api_key"],
  eraseRespondent: ["POST", "/svc/fielding/erase-respondent", "platform_key"],
  exportResponses: ["GET", "/svc/campaign/{post_id}/responses/export", "api_key"],
  forecastCampaign: ["POST", "/svc/campaign/forecast", "api_key"],
  generateApiKey: ["POST", "/svc/api-key/generate", "account_token"],
  getApiKeyHistory: ["GET", "/svc/api-key/{key_id}/history", "account_token"],
  getCampaign: ["GET", "/svc/campaign/{post_id}", "api_key"],
  getCampaignHistory: ["GET", "/svc/campaign/{post_id}/history", "api_key"],
  getCampaignResults: ["GET", "/svc/campaign/{post_id}/results", "api_key"],
  getCompany: ["GET", "/api/company/me", "account_token"],
  getLiveness: ["GET", "/health/live", null],
  getParticipation: ["GET", "/svc/fielding/participation/{participation_id}", "platform_key"],
  getQuestionHistory: ["GET", "/svc/campaign/{post_id}/questions/history", "api_key"],
  getQuestions: ["GET", "/svc/campaign/{post_id}/questions", "api_key"],
  getQuotas: ["GET", "/svc/campaign/{post_id}/quotas", "api_key"],
  getReadiness: ["GET", "/health/ready", null],
  getReceiptKeys: ["GET", "/svc/fielding/receipt-keys", null],
  getRespondent: ["GET", "/svc/fielding/respondent", "platform_key"],
  getTargeting: ["GET", "/svc/campaign/{post_id}/targeting", "api_key"],
  listApiKeys: ["GET", "/svc/api-key/list", "account_token"],
  listCampaigns: ["GET", "/svc/campaign/list", "api_key"],
  listEvents: ["GET", "/svc/event/list", "api_key"],
  listFielding: ["GET", "/svc/fielding/list", "platform_key"],
  listFieldingFor: ["POST", "/svc/fielding/list", "platform_key"],
  listGuardrails: ["GET", "/svc/guardrail/list", "api_key"],
  listPreviewLinks: ["GET", "/svc/campaign/preview-link/list", "api_key"],
  listResponses: ["GET", "/svc/campaign/{post_id}/responses", "api_key"],
  listResultsLinks: ["GET", "/svc/campaign/results-link/list", "api_key"],
  listTransfers: ["GET", "/svc/ledger/list", "api_key"],
  listWebhookDeliveries: ["GET", "/svc/webhook/{webhook_id}/deliveries", "api_key"],
  listWebhooks: ["GET", "/svc/webhook/list", "api_key"],
  logIn: ["POST", "/api/company/login", null],
  previewCohortRewards: ["POST", "/svc/campaign/cohort-rewards/preview", "api_key"],
  reconcileLedger: ["GET", "/svc/ledger/reconcile", "api_key"],
  registerCompany: ["POST", "/api/company/create", null],
  replayWebhook: ["POST", "/svc/webhook/replay", "api_key"],
  reverseParticipation: ["POST", "/svc/fielding/reverse", "platform_key"],
  revokeApiKey: ["POST", "/svc/api-key/revoke", "account_token"],
  revokePreviewLink: ["POST", "/svc/campaign/preview-link/revoke", "api_key"],
  revokeResultsLink: ["POST", "/svc/campaign/results-link/revoke", "api_key"],
  rotateApiKey: ["POST", "/svc/api-key/rotate", "account_token"],
  rotateWebhookSecret: ["POST", "/svc/webhook/rotate-secret", "api_key"],
  setAdvertisementQuestions: ["POST", "/svc/advertisement/questions", "api_key"],
  setSurveyQuestions: ["POST", "/svc/survey/questions", "api_key"],
  setTargeting: ["POST", "/svc/campaign/targeting", "api_key"],
  simulateCampaign: ["POST", "/svc/campaign/simulate", "api_key"],
  submitParticipation: ["POST", "/svc/fielding/submit", "platform_key"],
  testWebhook: ["POST", "/svc/webhook/test", "api_key"],
  toggleLive: ["PATCH", "/svc/campaign/toggle-live", "api_key"],
  unarchiveCampaign: ["POST", "/svc/campaign/unarchive", "api_key"],
  updateCampaign: ["PATCH", "/svc/campaign/update", "api_key"],
  updateCohortRewards: ["PATCH", "/svc/campaign/cohort-rewards", "api_key"],
  updateGuardrail: ["PATCH", "/svc/guardrail/update", "api_key"],
  updateWebhook: ["PATCH", "/svc/webhook/update", "api_key"],
} satisfies Partial<Record<keyof operations, Route>>;
