/**
 * This file was generated from openapi.json and package.json by `npm run client`.
 * Do not edit it.
 */
import type { operations } from './schema.js';

/** The version of this package. */
export const VERSION = '0.1.0';

export interface Route {
  method: string;
  path: string;
  credential: 'account_token' | 'api_key' | 'platform_key' | null;
}

/** The operations of the service; those of webhooks are the client's own. */
export const OPERATIONS = {
  abandonParticipation: { method: "POST", path: "/svc/fielding/abandon", credential: "platform_key" },
  applyCampaign: { method: "PUT", path: "/svc/campaign/apply", credential: "api_key" },
  archiveCampaign: { method: "POST", path: "/svc/campaign/archive", credential: "api_key" },
  armGuardrail: { method: "POST", path: "/svc/guardrail/arm", credential: "api_key" },
  backtestGuardrail: { method: "POST", path: "/svc/guardrail/backtest", credential: "api_key" },
  beginParticipation: { method: "POST", path: "/svc/fielding/begin", credential: "platform_key" },
  checkLaunch: { method: "GET", path: "/svc/campaign/{post_id}/launch-check", credential: "api_key" },
  createAdvertisement: { method: "POST", path: "/svc/advertisement/create", credential: "api_key" },
  createBinarySurvey: { method: "POST", path: "/svc/image-survey/binary", credential: "api_key" },
  createGuardrail: { method: "POST", path: "/svc/guardrail/create", credential: "api_key" },
  createImageSliderSurvey: { method: "POST", path: "/svc/image-survey/slider", credential: "api_key" },
  createResultsLink: { method: "POST", path: "/svc/campaign/results-link", credential: "api_key" },
  createRoundRobinSurvey: { method: "POST", path: "/svc/image-survey/round-robin", credential: "api_key" },
  createSurvey: { method: "POST", path: "/svc/survey/create", credential: "api_key" },
  createWebhook: { method: "POST", path: "/svc/webhook/create", credential: "api_key" },
  deleteGuardrail: { method: "POST", path: "/svc/guardrail/delete", credential: "api_key" },
  deleteWebhook: { method: "POST", path: "/svc/webhook/delete", credential: "api_key" },
  duplicateCampaign: { method: "POST", path: "/svc/campaign/duplicate", credential: "api_key" },
  eraseRespondent: { method: "POST", path: "/svc/fielding/erase-respondent", credential: "platform_key" },
  exportResponses: { method: "GET", path: "/svc/campaign/{post_id}/responses/export", credential: "api_key" },
  forecastCampaign: { method: "POST", path: "/svc/campaign/forecast", credential: "api_key" },
  generateApiKey: { method: "POST", path: "/svc/api-key/generate", credential: "account_token" },
  getApiKeyHistory: { method: "GET", path: "/svc/api-key/{key_id}/history", credential: "account_token" },
  getCampaign: { method: "GET", path: "/svc/campaign/{post_id}", credential: "api_key" },
  getCampaignHistory: { method: "GET", path: "/svc/campaign/{post_id}/history", credential: "api_key" },
  getCampaignResults: { method: "GET", path: "/svc/campaign/{post_id}/results", credential: "api_key" },
  getCompany: { method: "GET", path: "/api/company/me", credential: "account_token" },
  getLiveness: { method: "GET", path: "/health/live", credential: null },
  getParticipation: { method: "GET", path: "/svc/fielding/participation/{participation_id}", credential: "platform_key" },
  getQuestionHistory: { method: "GET", path: "/svc/campaign/{post_id}/questions/history", credential: "api_key" },
  getQuestions: { method: "GET", path: "/svc/campaign/{post_id}/questions", credential: "api_key" },
  getReadiness: { method: "GET", path: "/health/ready", credential: null },
  getReceiptKeys: { method: "GET", path: "/svc/fielding/receipt-keys", credential: null },
  getRespondent: { method: "GET", path: "/svc/fielding/respondent", credential: "platform_key" },
  listApiKeys: { method: "GET", path: "/svc/api-key/list", credential: "account_token" },
  listCampaigns: { method: "GET", path: "/svc/campaign/list", credential: "api_key" },
  listEvents: { method: "GET", path: "/svc/event/list", credential: "api_key" },
  listFielding: { method: "GET", path: "/svc/fielding/list", credential: "platform_key" },
  listGuardrails: { method: "GET", path: "/svc/guardrail/list", credential: "api_key" },
  listResponses: { method: "GET", path: "/svc/campaign/{post_id}/responses", credential: "api_key" },
  listResultsLinks: { method: "GET", path: "/svc/campaign/results-link/list", credential: "api_key" },
  listTransfers: { method: "GET", path: "/svc/ledger/list", credential: "api_key" },
  listWebhookDeliveries: { method: "GET", path: "/svc/webhook/{webhook_id}/deliveries", credential: "api_key" },
  listWebhooks: { method: "GET", path: "/svc/webhook/list", credential: "api_key" },
  logIn: { method: "POST", path: "/api/company/login", credential: null },
  previewCohortRewards: { method: "POST", path: "/svc/campaign/cohort-rewards/preview", credential: "api_key" },
  reconcileLedger: { method: "GET", path: "/svc/ledger/reconcile", credential: "api_key" },
  registerCompany: { method: "POST", path: "/api/company/create", credential: null },
  replayWebhook: { method: "POST", path: "/svc/webhook/replay", credential: "api_key" },
  reverseParticipation: { method: "POST", path: "/svc/fielding/reverse", credential: "platform_key" },
  revokeApiKey: { method: "POST", path: "/svc/api-key/revoke", credential: "account_token" },
  revokeResultsLink: { method: "POST", path: "/svc/campaign/results-link/revoke", credential: "api_key" },
  rotateApiKey: { method: "POST", path: "/svc/api-key/rotate", credential: "account_token" },
  rotateWebhookSecret: { method: "POST", path: "/svc/webhook/rotate-secret", credential: "api_key" },
  setAdvertisementQuestions: { method: "POST", path: "/svc/advertisement/questions", credential: "api_key" },
  setSurveyQuestions: { method: "POST", path: "/svc/survey/questions", credential: "api_key" },
  simulateCampaign: { method: "POST", path: "/svc/campaign/simulate", credential: "api_key" },
  submitParticipation: { method: "POST", path: "/svc/fielding/submit", credential: "platform_key" },
  testWebhook: { method: "POST", path: "/svc/webhook/test", credential: "api_key" },
  toggleLive: { method: "PATCH", path: "/svc/campaign/toggle-live", credential: "api_key" },
  unarchiveCampaign: { method: "POST", path: "/svc/campaign/unarchive", credential: "api_key" },
  updateCampaign: { method: "PATCH", path: "/svc/campaign/update", credential: "api_key" },
  updateCohortRewards: { method: "PATCH", path: "/svc/campaign/cohort-rewards", credential: "api_key" },
  updateGuardrail: { method: "PATCH", path: "/svc/guardrail/update", credential: "api_key" },
  updateWebhook: { method: "PATCH", path: "/svc/webhook/update", credential: "api_key" },
} satisfies Partial<Record<keyof operations, Route>>;
