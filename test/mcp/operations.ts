import { Agent } from '../support/agents';
import { companyForEach } from '../support/fixtures';
import { readOperations } from '../support/document';
import { generateKey } from '../support/keys';
import { service } from '../support/service';

/** The tool that does what an operation does. */
const TOOLS: Record<string, string> = {
  listCampaigns: 'list_campaigns',
  getCampaign: 'get_campaign',
  getQuestions: 'get_campaign',
  checkLaunch: 'get_campaign',
  applyCampaign: 'apply_campaign',
  createSurvey: 'apply_campaign',
  createAdvertisement: 'apply_campaign',
  createRoundRobinSurvey: 'apply_campaign',
  createBinarySurvey: 'apply_campaign',
  createImageSliderSurvey: 'apply_campaign',
  updateCampaign: 'apply_campaign',
  setSurveyQuestions: 'apply_campaign',
  setAdvertisementQuestions: 'apply_campaign',
  updateCohortRewards: 'apply_campaign',
  setTargeting: 'apply_campaign',
  createGuardrail: 'apply_campaign',
  updateGuardrail: 'apply_campaign',
  deleteGuardrail: 'apply_campaign',
  forecastCampaign: 'plan_campaign',
  previewCohortRewards: 'plan_campaign',
  toggleLive: 'start_campaign',
  simulateCampaign: 'simulate_campaign',
  getCampaignResults: 'get_results',
  getCrosstab: 'get_crosstab',
  listResponses: 'list_responses',
  listGuardrails: 'list_guardrails',
  listEvents: 'list_events',
  getCampaignHistory: 'list_events',
  getEvent: 'list_events',
  reconcileLedger: 'check_ledger',
  getApproval: 'get_approvals',
  getBalance: 'who_am_i',
};

/** Why no tool does what the other operations do. */
const REASONS: Record<string, readonly string[]> = {
  'only a person may, with the account': [
    ...['registerCompany', 'logIn', 'getCompany', 'generateApiKey', 'listApiKeys', 'revokeApiKey'],
    ...['rotateApiKey', 'updateApiKeyLimits', 'getApiKeySpending', 'getApiKeyHistory'],
    ...['listApprovals', 'getApprovalRequest', 'approveRequest', 'refuseRequest'],
  ],
  'platforms have programs, not agents': [
    ...['listFielding', 'listFieldingFor', 'beginParticipation', 'submitParticipation'],
    ...['abandonParticipation', 'getParticipation', 'getRespondent', 'reverseParticipation'],
    ...['eraseRespondent', 'getReceiptKeys', 'listFieldingDisputes', 'decideDispute'],
    ...['listSettlements', 'getSettlement', 'downloadSettlement'],
  ],
  'it pays or accuses a single person': ['payBonus', 'openDispute', 'listDisputes'],
  'it makes a secret that a model would know': [
    ...['createResultsLink', 'listResultsLinks', 'getResultsLink', 'revokeResultsLink'],
    ...['createPreviewLink', 'listPreviewLinks', 'getPreviewLink', 'revokePreviewLink'],
    ...['createWebhook', 'listWebhooks', 'getWebhook', 'updateWebhook', 'rotateWebhookSecret'],
    ...['deleteWebhook', 'testWebhook', 'listWebhookDeliveries', 'replayWebhook'],
  ],
  'a file or a long list is for programs': [
    ...['exportResponses', 'exportTransfers', 'listTransfers', 'getQuestionHistory', 'getResponse'],
    ...['listCompanySettlements', 'getCompanySettlement'],
  ],
  'it is seldom needed, and there are 16 tools at most': [
    ...['duplicateCampaign', 'archiveCampaign', 'unarchiveCampaign', 'getTargeting', 'getQuotas'],
    ...['compareWaves', 'getPlatformScores', 'getGuardrail', 'armGuardrail', 'backtestGuardrail'],
  ],
  'it is for monitors': ['getLiveness', 'getReadiness'],
};

describe('every operation', () => {
  const company = companyForEach();

  it('is part of a tool, or there is a reason why not', async () => {
    const operations = (await readOperations(service.client)).map(({ id }) => id);
    const known = [...Object.keys(TOOLS), ...Object.values(REASONS).flat()];
    expect(known.toSorted()).toEqual(operations.toSorted());
    const key = await generateKey(company.account, service.client, { mode: 'test' });
    const names = await (await Agent.connect(key.api)).names();
    expect(names).toEqual(expect.arrayContaining(Object.values(TOOLS)));
  });
});
