import { CampaignServiceError, ExportError } from './errors.js';
import { PlatformClient } from './platform-client.js';
import {
  Advertisements,
  Approvals,
  Campaigns,
  CohortRewards,
  Company,
  Events,
  Guardrails,
  ImageSurveys,
  Keys,
  Ledger,
  Questions,
  Responses,
  Results,
  Settlements,
  Surveys,
  Targeting,
  Webhooks,
} from './resources.js';
import type { ErrorCodeOf, Operation } from './types.js';

/** A method that calls an operation. */
export type Method<O extends Operation> = (...parameters: never[]) => { readonly operation: O };

/** For load balancers. */
type HealthCheck = 'getLiveness' | 'getReadiness';

const { prototype: campaigns } = Campaigns;
const { prototype: guardrails } = Guardrails;
const { prototype: webhooks } = Webhooks;
const { prototype: keys } = Keys;
const { prototype: approvals } = Approvals;
const { prototype: platform } = PlatformClient;

/** The methods of each operation. An operation of the document without a method does not compile. */
const METHODS: {
  readonly [O in Exclude<Operation, HealthCheck>]: readonly [Method<O>, ...Method<O>[]];
} = {
  abandonParticipation: [platform.abandon],
  applyCampaign: [campaigns.apply],
  approveRequest: [approvals.approve],
  archiveCampaign: [campaigns.archive],
  armGuardrail: [guardrails.arm],
  backtestGuardrail: [guardrails.backtest],
  beginParticipation: [platform.begin],
  checkLaunch: [campaigns.launchCheck],
  compareWaves: [Results.prototype.waves],
  createAdvertisement: [Advertisements.prototype.create],
  createBinarySurvey: [ImageSurveys.prototype.binary],
  createGuardrail: [guardrails.create],
  createImageSliderSurvey: [ImageSurveys.prototype.slider],
  createPreviewLink: [Questions.prototype.createPreviewLink],
  createResultsLink: [Results.prototype.createLink],
  createRoundRobinSurvey: [ImageSurveys.prototype.roundRobin],
  createSurvey: [Surveys.prototype.create],
  createWebhook: [webhooks.create],
  decideDispute: [platform.decideDispute],
  deleteGuardrail: [guardrails.delete],
  deleteWebhook: [webhooks.delete],
  downloadSettlement: [platform.downloadSettlement],
  duplicateCampaign: [campaigns.duplicate],
  eraseRespondent: [platform.eraseRespondent],
  exportResponses: [Responses.prototype.export],
  exportTransfers: [Ledger.prototype.export],
  forecastCampaign: [campaigns.forecast],
  generateApiKey: [keys.generate],
  getApiKeyHistory: [keys.history],
  getApiKeySpending: [keys.spending],
  getApproval: [approvals.get],
  getApprovalRequest: [approvals.getRequest],
  getBalance: [Ledger.prototype.balance],
  getCampaign: [campaigns.get],
  getCampaignHistory: [campaigns.history],
  getCampaignResults: [Results.prototype.get],
  getCompany: [Company.prototype.me],
  getCompanySettlement: [Settlements.prototype.get],
  getCrosstab: [Results.prototype.crosstab],
  getEvent: [Events.prototype.get],
  getGuardrail: [guardrails.get],
  getParticipation: [platform.participation],
  getPlatformScores: [Results.prototype.platforms],
  getPreviewLink: [Questions.prototype.getPreviewLink],
  getQuestionHistory: [Questions.prototype.history],
  getQuestions: [Questions.prototype.get],
  getQuotas: [Targeting.prototype.quotas],
  getReceiptKeys: [platform.receiptKeys],
  getRespondent: [platform.respondent],
  getResponse: [Responses.prototype.get],
  getResultsLink: [Results.prototype.getLink],
  getSettlement: [platform.settlement],
  getTargeting: [Targeting.prototype.get],
  getWebhook: [webhooks.get],
  listApiKeys: [keys.list],
  listApprovals: [approvals.list],
  listCampaigns: [campaigns.list],
  listCompanySettlements: [Settlements.prototype.list],
  listDisputes: [Responses.prototype.listDisputes],
  listEvents: [Events.prototype.list],
  listFielding: [platform.list],
  listFieldingDisputes: [platform.disputes],
  listFieldingFor: [platform.listFor],
  listGuardrails: [guardrails.list],
  listPreviewLinks: [Questions.prototype.listPreviewLinks],
  listResponses: [Responses.prototype.list],
  listResultsLinks: [Results.prototype.listLinks],
  listSettlements: [platform.settlements],
  listTransfers: [Ledger.prototype.list],
  listWebhookDeliveries: [webhooks.deliveries],
  listWebhooks: [webhooks.list],
  logIn: [Company.prototype.login],
  openDispute: [Responses.prototype.dispute],
  payBonus: [Responses.prototype.payBonus],
  previewCohortRewards: [CohortRewards.prototype.preview],
  reconcileLedger: [Ledger.prototype.reconcile],
  refuseRequest: [approvals.refuse],
  registerCompany: [Company.prototype.register],
  replayWebhook: [webhooks.replay],
  reverseParticipation: [platform.reverse],
  revokeApiKey: [keys.revoke],
  revokePreviewLink: [Questions.prototype.revokePreviewLink],
  revokeResultsLink: [Results.prototype.revokeLink],
  rotateApiKey: [keys.rotate],
  rotateWebhookSecret: [webhooks.rotateSecret],
  setAdvertisementQuestions: [Questions.prototype.setForAdvertisement],
  setSurveyQuestions: [Questions.prototype.setForSurvey],
  setTargeting: [Targeting.prototype.set],
  simulateCampaign: [campaigns.simulate],
  submitParticipation: [platform.submit],
  testWebhook: [webhooks.test],
  toggleLive: [campaigns.start, campaigns.stop],
  unarchiveCampaign: [campaigns.unarchive],
  updateApiKeyLimits: [keys.limit],
  updateCampaign: [campaigns.update],
  updateCohortRewards: [CohortRewards.prototype.update],
  updateGuardrail: [guardrails.update],
  updateWebhook: [webhooks.update],
};

/**
 * Tells whether an error is the service's response to a method, such as `client.campaigns.start`, or
 * to an operation. The compiler then knows every code that a `switch` over the error's code must
 * handle.
 */
export function isErrorOf<O extends Operation>(
  error: unknown,
  of: O | Method<O>,
): error is CampaignServiceError & { readonly code: ErrorCodeOf<O>; readonly status: number } {
  if (
    !(error instanceof CampaignServiceError) ||
    error instanceof ExportError ||
    error.operation === undefined ||
    error.status === undefined ||
    error.code === 'unexpected_response'
  ) {
    return false;
  }
  const methods: Partial<Record<Operation, readonly unknown[]>> = METHODS;
  return error.operation === of || (methods[error.operation]?.includes(of) ?? false);
}
