import type { SampleRequest } from './sample-request';

/** Stands for all fields that no other argument takes. */
const REST = '…';

/** An argument of a method: a field by its name, an object of several fields, or what is left. */
type Argument = string | readonly string[];

/** The method of the SDK for each operation. */
const CALLS: Readonly<Record<string, readonly [method: string, ...args: Argument[]]>> = {
  abandonParticipation: ['abandon', ['post_id', 'participation_id']],
  applyCampaign: ['campaigns.apply', REST],
  approveRequest: ['approvals.approve', 'approval_id'],
  archiveCampaign: ['campaigns.archive', 'post_id'],
  armGuardrail: ['guardrails.arm', 'guardrail_id', REST],
  backtestGuardrail: ['guardrails.backtest', REST],
  beginParticipation: ['begin', 'post_id', 'respondent_id'],
  checkLaunch: ['campaigns.launchCheck', 'post_id'],
  createAdvertisement: ['advertisements.create', REST],
  createBinarySurvey: ['imageSurveys.binary', REST],
  createGuardrail: ['guardrails.create', REST],
  createImageSliderSurvey: ['imageSurveys.slider', REST],
  createPreviewLink: ['questions.createPreviewLink', 'post_id', REST],
  createResultsLink: ['results.createLink', 'post_id', REST],
  createRoundRobinSurvey: ['imageSurveys.roundRobin', REST],
  createSurvey: ['surveys.create', REST],
  createWebhook: ['webhooks.create', REST],
  decideDispute: ['decideDispute', ['post_id', 'participation_id'], REST],
  deleteGuardrail: ['guardrails.delete', 'guardrail_id'],
  deleteWebhook: ['webhooks.delete', 'webhook_id'],
  downloadSettlement: ['downloadSettlement', 'settlement_id'],
  duplicateCampaign: ['campaigns.duplicate', 'post_id', REST],
  eraseRespondent: ['eraseRespondent', 'respondent_id'],
  exportResponses: ['responses.export', 'post_id'],
  exportTransfers: ['ledger.export'],
  forecastCampaign: ['campaigns.forecast', REST],
  generateApiKey: ['keys.generate', REST],
  getApiKeyHistory: ['keys.history', 'key_id'],
  getApiKeySpending: ['keys.spending', 'key_id'],
  getApproval: ['approvals.get', 'approval_id'],
  getApprovalRequest: ['approvals.getRequest', 'approval_id'],
  getBalance: ['ledger.balance'],
  getCampaign: ['campaigns.get', 'post_id'],
  getCampaignHistory: ['campaigns.history', 'post_id'],
  getCampaignResults: ['results.get', 'post_id'],
  getCompany: ['company.me'],
  getCompanySettlement: ['settlements.get', 'settlement_id'],
  getEvent: ['events.get', 'event_id'],
  getGuardrail: ['guardrails.get', 'guardrail_id'],
  getParticipation: ['participation', 'participation_id'],
  getPlatformScores: ['results.platforms', 'post_id'],
  getPreviewLink: ['questions.getPreviewLink', 'post_id', 'link_id'],
  getQuestionHistory: ['questions.history', 'post_id'],
  getQuestions: ['questions.get', 'post_id'],
  getRespondent: ['respondent', 'respondent_id'],
  getResponse: ['responses.get', 'post_id', 'participation_id'],
  getResultsLink: ['results.getLink', 'post_id', 'link_id'],
  getSettlement: ['settlement', 'settlement_id'],
  getWebhook: ['webhooks.get', 'webhook_id'],
  listApiKeys: ['keys.list'],
  listApprovals: ['approvals.list'],
  listCampaigns: ['campaigns.list'],
  listCompanySettlements: ['settlements.list'],
  listDisputes: ['responses.listDisputes'],
  listEvents: ['events.list'],
  listFielding: ['list', 'respondent_id'],
  listFieldingDisputes: ['disputes'],
  listGuardrails: ['guardrails.list'],
  listPreviewLinks: ['questions.listPreviewLinks'],
  listResponses: ['responses.list', 'post_id'],
  listResultsLinks: ['results.listLinks'],
  listSettlements: ['settlements'],
  listTransfers: ['ledger.list'],
  listWebhookDeliveries: ['webhooks.deliveries', 'webhook_id'],
  listWebhooks: ['webhooks.list'],
  logIn: ['company.login', REST],
  openDispute: ['responses.dispute', 'participation_id', REST],
  payBonus: ['responses.payBonus', 'participation_id', REST],
  previewCohortRewards: ['cohortRewards.preview', REST],
  reconcileLedger: ['ledger.reconcile'],
  refuseRequest: ['approvals.refuse', 'approval_id', REST],
  registerCompany: ['company.register', REST],
  replayWebhook: ['webhooks.replay', 'webhook_id', REST],
  reverseParticipation: ['reverse', ['post_id', 'participation_id'], REST],
  revokeApiKey: ['keys.revoke', 'key_id'],
  revokePreviewLink: ['questions.revokePreviewLink', 'link_id'],
  revokeResultsLink: ['results.revokeLink', 'link_id'],
  rotateApiKey: ['keys.rotate', 'key_id', REST],
  rotateWebhookSecret: ['webhooks.rotateSecret', 'webhook_id'],
  setAdvertisementQuestions: ['questions.setForAdvertisement', 'post_id', 'questions'],
  setSurveyQuestions: ['questions.setForSurvey', 'post_id', 'questions'],
  simulateCampaign: ['campaigns.simulate', 'post_id', REST],
  submitParticipation: ['submit', ['post_id', 'participation_id'], REST],
  testWebhook: ['webhooks.test', 'webhook_id'],
  toggleLive: ['campaigns.start', 'post_id'],
  unarchiveCampaign: ['campaigns.unarchive', 'post_id'],
  updateApiKeyLimits: ['keys.limit', 'key_id', REST],
  updateCampaign: ['campaigns.update', 'post_id', REST],
  updateCohortRewards: ['cohortRewards.update', 'post_id', REST],
  updateGuardrail: ['guardrails.update', 'guardrail_id', REST],
  updateWebhook: ['webhooks.update', 'webhook_id', REST],
};

/** A call of a method of the SDK. */
interface SdkCall {
  client: 'CampaignClient' | 'PlatformClient';
  /** Expressions of the client's options, by name. */
  options: Readonly<Record<string, string>>;
  method: string;
  args: unknown[];
}

function optionsOf({ credential, body = {} }: SampleRequest): SdkCall['options'] {
  if (credential === undefined) {
    // To register and to log in, the client needs the account that the call names.
    const { email, password } = body;
    return { account: `{ email: '${String(email)}', password: '${String(password)}' }` };
  }
  return { [credential.option]: `process.env.${credential.variable}` };
}

/**
 * Returns the call of the SDK that sends a request. An operation without a method of its own is
 * called by its path; without a credential, as a health check, it needs no SDK.
 */
export function sdkCall(request: SampleRequest): SdkCall | undefined {
  const { operationId, credential, body, values } = request;
  if (credential === undefined && body === undefined) {
    return undefined;
  }
  const isPlatform = credential?.option === 'platformKey';
  const client = isPlatform ? 'PlatformClient' : 'CampaignClient';
  const options = optionsOf(request);
  const call = CALLS[operationId];
  if (call === undefined) {
    const args = [request.method, request.path, ...(body === undefined ? [] : [{ body }])];
    return { client, options, method: 'request', args };
  }
  const [method, ...wanted] = call;
  const named = new Set(wanted.flat());
  const rest = Object.entries(values).filter(([name]) => !named.has(name));
  return {
    client,
    options,
    method,
    args: wanted.map((argument) => {
      if (argument === REST) {
        return Object.fromEntries(rest);
      }
      return typeof argument === 'string'
        ? values[argument]
        : Object.fromEntries(argument.map((name) => [name, values[name]]));
    }),
  };
}
