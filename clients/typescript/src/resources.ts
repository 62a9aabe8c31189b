import { type ExportQuery, FileDownload, ResponseExport, type TransferExport } from './export.js';
import { follow, type FollowOptions } from './follow.js';
import { ApiPromise, type WithResponse } from './response.js';
import type { Transport } from './transport.js';
import type {
  CallOptions,
  EventOf,
  EventType,
  Fields,
  Query,
  RequestBody as Body,
  ResponseData,
  VersionedWriteOptions,
  WriteOptions,
} from './types.js';
import { signTestMessage, verifyWebhook } from './webhook-message.js';

class Resource {
  constructor(protected readonly transport: Transport) {}
}

export class Surveys extends Resource {
  /** Creates a survey campaign. It is stopped until {@link Campaigns.start}. */
  create(survey: Body<'createSurvey'>, options?: WriteOptions) {
    return this.transport.call('createSurvey', { body: survey }, options);
  }
}

export class Advertisements extends Resource {
  /** Creates an advertisement campaign. It is stopped until {@link Campaigns.start}. */
  create(advertisement: Body<'createAdvertisement'>, options?: WriteOptions) {
    return this.transport.call('createAdvertisement', { body: advertisement }, options);
  }
}

export class ImageSurveys extends Resource {
  /** Creates a survey in which each respondent compares every pair of 3 to 20 images. */
  roundRobin(survey: Body<'createRoundRobinSurvey'>, options?: WriteOptions) {
    return this.transport.call('createRoundRobinSurvey', { body: survey }, options);
  }

  /** Creates a survey in which each respondent picks one of two images. */
  binary(survey: Body<'createBinarySurvey'>, options?: WriteOptions) {
    return this.transport.call('createBinarySurvey', { body: survey }, options);
  }

  /** Creates a survey in which each respondent rates 1 to 20 images on a scale. */
  slider(survey: Body<'createImageSliderSurvey'>, options?: WriteOptions) {
    return this.transport.call('createImageSliderSurvey', { body: survey }, options);
  }
}

export class Campaigns extends Resource {
  get(postId: string, options?: CallOptions) {
    return this.transport.call('getCampaign', { path: { post_id: postId } }, options);
  }

  /** Lists your company's campaigns, newest first. `limit` is the size of a page. */
  list(filters?: Query<'listCampaigns'>, options?: CallOptions) {
    return this.transport.list('listCampaigns', { query: filters }, options);
  }

  /** Changes the given fields. A `reward_amount` recalculates the cohort rewards. */
  update(
    postId: string,
    changes: Fields<'updateCampaign', 'post_id'>,
    options?: VersionedWriteOptions,
  ) {
    const body = { ...changes, post_id: postId };
    return this.transport.call('updateCampaign', { body }, options);
  }

  /** Makes a campaign live. Starting a live campaign changes nothing. */
  start(postId: string, options?: VersionedWriteOptions) {
    const body = { post_id: postId, is_live: true };
    return this.transport.call('toggleLive', { body }, options);
  }

  /** Stops a campaign. Stopping a stopped campaign changes nothing. */
  stop(postId: string, options?: VersionedWriteOptions) {
    const body = { post_id: postId, is_live: false };
    return this.transport.call('toggleLive', { body }, options);
  }

  /** Checks what would prevent a start, what may be forgotten, and the maximum cost. */
  launchCheck(postId: string, options?: CallOptions) {
    return this.transport.call('checkLaunch', { path: { post_id: postId } }, options);
  }

  /** Forecasts what a stored campaign, or the campaign of a document, will cost. */
  forecast(input: Body<'forecastCampaign'>, options?: WriteOptions) {
    return this.transport.call('forecastCampaign', { body: input }, options);
  }

  /** Lets made-up respondents take part in a test campaign. Needs a test key. */
  simulate(
    postId: string,
    simulation: Fields<'simulateCampaign', 'post_id'>,
    options?: WriteOptions,
  ) {
    const body = { ...simulation, post_id: postId };
    return this.transport.call('simulateCampaign', { body }, options);
  }

  /** Creates a draft with the content, rewards and limits of a campaign, but without its times. */
  duplicate(
    postId: string,
    copy: Fields<'duplicateCampaign', 'post_id'> = {},
    options?: WriteOptions,
  ) {
    const body = { ...copy, post_id: postId };
    return this.transport.call('duplicateCampaign', { body }, options);
  }

  /** Takes a campaign out of the lists, and stops it. */
  archive(postId: string, options?: VersionedWriteOptions) {
    return this.transport.call('archiveCampaign', { body: { post_id: postId } }, options);
  }

  /** Puts a campaign back into the lists, stopped. */
  unarchive(postId: string, options?: VersionedWriteOptions) {
    return this.transport.call('unarchiveCampaign', { body: { post_id: postId } }, options);
  }

  /** Lists the changes to a campaign, newest first. */
  history(postId: string, paging?: Query<'getCampaignHistory'>, options?: CallOptions) {
    const input = { path: { post_id: postId }, query: paging };
    return this.transport.list('getCampaignHistory', input, options);
  }

  /** Creates or updates a campaign to match a document. */
  apply(document: Body<'applyCampaign'>, options?: VersionedWriteOptions) {
    return this.transport.call('applyCampaign', { body: document }, options);
  }
}

export class Questions extends Resource {
  /** Replaces the questions of a survey. */
  setForSurvey(
    postId: string,
    questions: Body<'setSurveyQuestions'>['questions'],
    options?: VersionedWriteOptions,
  ) {
    const body = { post_id: postId, questions };
    return this.transport.call('setSurveyQuestions', { body }, options);
  }

  /** Replaces the feedback questions of an advertisement that was created with `has_feedback`. */
  setForAdvertisement(
    postId: string,
    questions: Body<'setAdvertisementQuestions'>['questions'],
    options?: VersionedWriteOptions,
  ) {
    const body = { post_id: postId, questions };
    return this.transport.call('setAdvertisementQuestions', { body }, options);
  }

  get(postId: string, options?: CallOptions) {
    return this.transport.call('getQuestions', { path: { post_id: postId } }, options);
  }

  /** Lists the current and earlier question sets of a campaign, newest first. */
  history(postId: string, paging?: Query<'getQuestionHistory'>, options?: CallOptions) {
    const input = { path: { post_id: postId }, query: paging };
    return this.transport.list('getQuestionHistory', input, options);
  }

  /**
   * Creates a link to a page that shows the questions as respondents see them, and stores nothing.
   * `url` is secret; it is not returned again.
   */
  createPreviewLink(
    postId: string,
    link: Fields<'createPreviewLink', 'post_id'> = {},
    options?: WriteOptions,
  ) {
    const body = { ...link, post_id: postId };
    return this.transport.call('createPreviewLink', { body }, options);
  }

  getPreviewLink(postId: string, linkId: string, options?: CallOptions) {
    const path = { post_id: postId, link_id: linkId };
    return this.transport.call('getPreviewLink', { path }, options);
  }

  /** Lists the links to previews of your company, or of a campaign, newest first. */
  listPreviewLinks(filters?: Query<'listPreviewLinks'>, options?: CallOptions) {
    return this.transport.list('listPreviewLinks', { query: filters }, options);
  }

  /** Revokes a link to a preview: its page is gone at once. */
  revokePreviewLink(linkId: string, options?: WriteOptions) {
    return this.transport.call('revokePreviewLink', { body: { link_id: linkId } }, options);
  }
}

export class CohortRewards extends Resource {
  /** Sets the rewards of all five cohorts. */
  update(
    postId: string,
    rewards: Fields<'updateCohortRewards', 'post_id'>,
    options?: VersionedWriteOptions,
  ) {
    const body = { ...rewards, post_id: postId };
    return this.transport.call('updateCohortRewards', { body }, options);
  }

  /** Calculates the default rewards for a `reward_amount`; nothing is stored. */
  preview(input: Body<'previewCohortRewards'>, options?: WriteOptions) {
    return this.transport.call('previewCohortRewards', { body: input }, options);
  }
}

/** Whom campaigns ask. */
export class Targeting extends Resource {
  /** Replaces the attributes, the screening and the quotas of a campaign. */
  set(postId: string, rules: Fields<'setTargeting', 'post_id'>, options?: VersionedWriteOptions) {
    const body = { ...rules, post_id: postId };
    return this.transport.call('setTargeting', { body }, options);
  }

  get(postId: string, options?: CallOptions) {
    return this.transport.call('getTargeting', { path: { post_id: postId } }, options);
  }

  /** Returns how far each quota is, and how often which rule has refused a respondent. */
  quotas(postId: string, options?: CallOptions) {
    return this.transport.call('getQuotas', { path: { post_id: postId } }, options);
  }
}

/** What respondents submitted. */
export class Responses extends Resource {
  /** Lists the responses to a campaign, newest first. */
  list(postId: string, filters?: Query<'listResponses'>, options?: CallOptions) {
    const input = { path: { post_id: postId }, query: filters };
    return this.transport.list('listResponses', input, options);
  }

  get(postId: string, participationId: string, options?: CallOptions) {
    const path = { post_id: postId, participation_id: participationId };
    return this.transport.call('getResponse', { path }, options);
  }

  /** Pays a respondent more than the reward. The same `bonus_ref` with the same content pays once. */
  payBonus(
    participationId: string,
    bonus: Fields<'payBonus', 'participation_id'>,
    options?: WriteOptions,
  ) {
    const body = { ...bonus, participation_id: participationId };
    return this.transport.call('payBonus', { body }, options);
  }

  /** Asks the platform to take the reward back, within the `review_days` of the campaign. */
  dispute(
    participationId: string,
    dispute: Fields<'openDispute', 'participation_id'>,
    options?: WriteOptions,
  ) {
    const body = { ...dispute, participation_id: participationId };
    return this.transport.call('openDispute', { body }, options);
  }

  /** Lists your company's disputes, newest first. */
  listDisputes(filters?: Query<'listDisputes'>, options?: CallOptions) {
    return this.transport.list('listDisputes', { query: filters }, options);
  }

  /**
   * Exports all responses to a campaign as a file, in NDJSON or as a table in CSV: iterate over the
   * bytes, or pipe them into a stream. `timeoutMs` limits the wait for each chunk.
   */
  export(
    postId: string,
    { cohorts, ...rest }: ResponsesToExport = {},
    options: CallOptions = {},
  ): ResponseExport {
    const { transport } = this;
    const path = { post_id: postId };
    return new ResponseExport(rest, {
      open: (part, signal) => {
        const query = { ...part, cohorts: cohorts?.join() };
        const input = { path, query };
        return transport.download('exportResponses', input, { ...options, signal });
      },
      observer: transport.observer,
      maxRetries: options.maxRetries ?? transport.maxRetries,
      signal: options.signal,
    });
  }
}

type ResponsesToExport = ExportQuery & {
  /** Only responses of these cohorts. */
  cohorts?: readonly number[];
};

/** How much a response of each cohort, from 1 to 5, counts: numbers from 0 to 1. */
type Weights = readonly [number, number, number, number, number];

/** Which responses are counted, and how. */
type Counted<Query, Weighting = Weights> = Omit<Query, 'cohorts' | 'weights'> & {
  /** Only responses of these cohorts. */
  cohorts?: readonly number[];
  /** How much a response of each cohort, from 1 to 5, counts: numbers from 0 to 1. */
  weights?: Weighting;
};

const joined = <Q>({ cohorts, weights, ...rest }: Counted<Q, Weights | 'margins'>) => ({
  ...rest,
  ...(cohorts && { cohorts: cohorts.join() }),
  ...(weights && { weights: weights === 'margins' ? weights : weights.join() }),
});

/** What the responses add up to. */
export class Results extends Resource {
  /** Returns counts, shares, means and rankings with intervals, cohorts, money and times. */
  get(
    postId: string,
    query: Counted<Query<'getCampaignResults'>, Weights | 'margins'> = {},
    options?: CallOptions,
  ) {
    return this.transport.call(
      'getCampaignResults',
      { path: { post_id: postId }, query: joined(query) },
      options,
    );
  }

  /** Crosses the answers to a question with others, with cohorts, a quota, platforms or versions. */
  crosstab(postId: string, query: Counted<Query<'getCrosstab'>>, options?: CallOptions) {
    return this.transport.call(
      'getCrosstab',
      { path: { post_id: postId }, query: joined(query) },
      options,
    );
  }

  /** Returns the results of two campaigns side by side, with their differences. */
  waves(postId: string, query: Counted<Query<'compareWaves'>>, options?: CallOptions) {
    return this.transport.call(
      'compareWaves',
      { path: { post_id: postId }, query: joined(query) },
      options,
    );
  }

  /** Returns what the attention scores of each platform are worth. */
  platforms(postId: string, options?: CallOptions) {
    return this.transport.call('getPlatformScores', { path: { post_id: postId } }, options);
  }

  /**
   * Creates a link to a page with the results, for people without an API key. `url` is secret; it is
   * not returned again.
   */
  createLink(
    postId: string,
    link: Fields<'createResultsLink', 'post_id'> = {},
    options?: WriteOptions,
  ) {
    const body = { ...link, post_id: postId };
    return this.transport.call('createResultsLink', { body }, options);
  }

  getLink(postId: string, linkId: string, options?: CallOptions) {
    const path = { post_id: postId, link_id: linkId };
    return this.transport.call('getResultsLink', { path }, options);
  }

  /** Lists the links of your company, or of a campaign, newest first. */
  listLinks(filters?: Query<'listResultsLinks'>, options?: CallOptions) {
    return this.transport.list('listResultsLinks', { query: filters }, options);
  }

  /** Revokes a link: its page is gone at once. */
  revokeLink(linkId: string, options?: WriteOptions) {
    return this.transport.call('revokeResultsLink', { body: { link_id: linkId } }, options);
  }
}

/** What a reconciliation compared, and what disagrees. */
export type Reconciliation = Omit<ResponseData<'reconcileLedger'>, 'next_cursor'>;

/** Every movement of money. */
export class Ledger extends Resource {
  /** Lists the transfers of all campaigns, newest first. */
  list(filters?: Query<'listTransfers'>, options?: CallOptions) {
    return this.transport.list('listTransfers', { query: filters }, options);
  }

  /** Exports the transfers of all campaigns, newest first, as a CSV: iterate over the bytes. */
  export(filters?: Query<'exportTransfers'>, options: CallOptions = {}): TransferExport {
    return new FileDownload('exportTransfers', () =>
      this.transport.download('exportTransfers', { query: filters }, options),
    );
  }

  /** Returns what your company has paid in advance, and where it is. */
  balance(options?: CallOptions) {
    return this.transport.call('getBalance', {}, options);
  }

  /** Compares the whole ledger with the participations: `differences` is empty if they agree. */
  reconcile(options?: CallOptions): ApiPromise<Reconciliation, 'reconcileLedger'> {
    return new ApiPromise('reconcileLedger', this.#reconcile(options));
  }

  /** The service compares the campaigns page by page; `checked` and `differences` add up. */
  async #reconcile(options?: CallOptions): Promise<WithResponse<Reconciliation>> {
    const differences: Reconciliation['differences'] = [];
    for (let checked = 0, query = {}; ;) {
      const { data, ...response } = await this.transport
        .call('reconcileLedger', { query }, options)
        .withResponse();
      checked += data.checked;
      differences.push(...data.differences);
      if (data.next_cursor === null) {
        return { ...response, data: { checked, currency: data.currency, differences } };
      }
      query = { cursor: data.next_cursor };
    }
  }
}

/** What platforms are paid for your campaigns, as the operator settles it. */
export class Settlements extends Resource {
  /** Lists the settlements about your company, newest first. */
  list(filters?: Query<'listCompanySettlements'>, options?: CallOptions) {
    return this.transport.list('listCompanySettlements', { query: filters }, options);
  }

  /** Returns a settlement, with a page of its campaigns. */
  get(settlementId: string, paging?: Query<'getCompanySettlement'>, options?: CallOptions) {
    const path = { settlement_id: settlementId };
    return this.transport.pages<'getCompanySettlement', ResponseData<'getCompanySettlement'>>(
      'getCompanySettlement',
      { path, query: paging },
      options,
      ({ next_cursor: cursor }) => (cursor === null ? null : { cursor }),
    );
  }
}

type EventQuery = Omit<Query<'listEvents'>, 'types'> & { types?: readonly EventType[] };

export class Events extends Resource {
  get(eventId: string, options?: CallOptions) {
    return this.transport.call('getEvent', { path: { event_id: eventId } }, options);
  }

  /** Lists the events after the number `after`, oldest first, up to the last one. */
  list({ types, ...rest }: EventQuery = {}, options?: CallOptions) {
    const query = { ...rest, ...(types && { types: types.join() }) };
    return this.transport.pages<'listEvents', ResponseData<'listEvents'>>(
      'listEvents',
      { query },
      options,
      ({ covers, has_more }) => (has_more ? { after: covers.to } : null),
    );
  }

  /**
   * Iterates over the events, oldest first, and waits for new ones until the signal is aborted. It
   * waits through restarts and outages without end; an error that no retry can help, such as a
   * revoked key, ends it.
   *
   * With `cursor`, it continues where it stopped. The position is saved when all events of a page
   * are handled, and when the iteration ends, so an event can come again after a crash. After a
   * `break`, the event at which the loop was left comes again: it counts as handled only when the
   * next one is asked for.
   */
  follow<T extends EventType = EventType>(
    options: FollowOptions<T> = {},
  ): AsyncGenerator<EventOf<T>, void, undefined> {
    const read = (query: Query<'listEvents'>, call: CallOptions) =>
      this.transport.call('listEvents', { query }, call);
    return follow(read, this.transport.observer, options);
  }
}

/** Leaves the service time to respond after its own limit for a backtest, 60 seconds. */
const BACKTEST_TIMEOUT_MS = 75_000;

export class Guardrails extends Resource {
  /** Creates a guardrail for one campaign or, without `post_id`, for all of your company. */
  create(guardrail: Body<'createGuardrail'>, options?: WriteOptions) {
    return this.transport.call('createGuardrail', { body: guardrail }, options);
  }

  get(guardrailId: string, options?: CallOptions) {
    return this.transport.call('getGuardrail', { path: { guardrail_id: guardrailId } }, options);
  }

  /** Lists your company's guardrails, or those that watch one campaign, oldest first. */
  list(filters?: Query<'listGuardrails'>, options?: CallOptions) {
    return this.transport.call('listGuardrails', { query: filters }, options);
  }

  /** Changes the given fields. With other conditions it begins to watch anew. */
  update(
    guardrailId: string,
    changes: Fields<'updateGuardrail', 'guardrail_id'>,
    options?: WriteOptions,
  ) {
    const body = { ...changes, guardrail_id: guardrailId };
    return this.transport.call('updateGuardrail', { body }, options);
  }

  delete(guardrailId: string, options?: WriteOptions) {
    const body = { guardrail_id: guardrailId };
    return this.transport.call('deleteGuardrail', { body }, options);
  }

  /**
   * Says what a guardrail would have done to past campaigns, page by page. Changes nothing. The
   * service takes up to a minute, so `timeoutMs` is at least 75,000, unless it is given here.
   */
  backtest(rule: Body<'backtestGuardrail'>, options: WriteOptions = {}) {
    const { timeoutMs = Math.max(this.transport.timeoutMs, BACKTEST_TIMEOUT_MS) } = options;
    return this.transport.call('backtestGuardrail', { body: rule }, { ...options, timeoutMs });
  }

  /** Lets a guardrail fire again, on one campaign or on all that it watches. */
  arm(
    guardrailId: string,
    where: Fields<'armGuardrail', 'guardrail_id'> = {},
    options?: WriteOptions,
  ) {
    const body = { ...where, guardrail_id: guardrailId };
    return this.transport.call('armGuardrail', { body }, options);
  }
}

/** What to send again: one event, all events after a number, or what failed since a time. */
type Replay = {
  [Field in 'event_id' | 'after_seq' | 'failed_since']: Required<
    Pick<Body<'replayWebhook'>, Field>
  >;
}['event_id' | 'after_seq' | 'failed_since'];

export class Webhooks extends Resource {
  /**
   * Creates a webhook. `secret` verifies its messages; it is not returned again. The API key needs the
   * scopes `webhooks:write` and `events:read`, as it does to update and to replay.
   */
  create(webhook: Body<'createWebhook'>, options?: WriteOptions) {
    return this.transport.call('createWebhook', { body: webhook }, options);
  }

  get(webhookId: string, options?: CallOptions) {
    return this.transport.call('getWebhook', { path: { webhook_id: webhookId } }, options);
  }

  /** Lists all webhooks of your company, oldest first. */
  list(options?: CallOptions) {
    return this.transport.call('listWebhooks', {}, options);
  }

  /** Changes the given fields. A webhook that is enabled continues where it stopped. */
  update(
    webhookId: string,
    changes: Fields<'updateWebhook', 'webhook_id'>,
    options?: WriteOptions,
  ) {
    const body = { ...changes, webhook_id: webhookId };
    return this.transport.call('updateWebhook', { body }, options);
  }

  /** Replaces the secret. For 24 hours, messages are signed with the old one too. */
  rotateSecret(webhookId: string, options?: WriteOptions) {
    const body = { webhook_id: webhookId };
    return this.transport.call('rotateWebhookSecret', { body }, options);
  }

  delete(webhookId: string, options?: WriteOptions) {
    return this.transport.call('deleteWebhook', { body: { webhook_id: webhookId } }, options);
  }

  /** Sends a `webhook.tested` event to this webhook only, and returns its `event_id`. */
  test(webhookId: string, options?: WriteOptions) {
    return this.transport.call('testWebhook', { body: { webhook_id: webhookId } }, options);
  }

  /** Lists the deliveries of a webhook with their attempts, latest event first. */
  deliveries(webhookId: string, filters?: Query<'listWebhookDeliveries'>, options?: CallOptions) {
    const input = { path: { webhook_id: webhookId }, query: filters };
    return this.transport.list('listWebhookDeliveries', input, options);
  }

  /** Sends events again, with the same `webhook-id`. */
  replay(webhookId: string, what: Replay, options?: WriteOptions) {
    const body = { ...what, webhook_id: webhookId };
    return this.transport.call('replayWebhook', { body }, options);
  }

  /** Verifies a message that a webhook received: see {@link verifyWebhook}. */
  readonly verify = verifyWebhook;

  /** Signs a message for the tests of a receiver: see {@link signTestMessage}. */
  readonly signTest = signTestMessage;
}

/** API keys of the account. */
export class Keys extends Resource {
  /** Generates an API key. `api_key` is the secret; it is not returned again. */
  generate(key: Body<'generateApiKey'> = {}, options?: WriteOptions) {
    return this.transport.call('generateApiKey', { body: key }, options);
  }

  list(paging?: Query<'listApiKeys'>, options?: CallOptions) {
    return this.transport.list('listApiKeys', { query: paging }, options);
  }

  /** Revokes a key at once. */
  revoke(keyId: string, options?: WriteOptions) {
    return this.transport.call('revokeApiKey', { body: { key_id: keyId } }, options);
  }

  /** Replaces a key with a new one; the old one stays valid for `overlap_seconds`. */
  rotate(keyId: string, rotation: Fields<'rotateApiKey', 'key_id'> = {}, options?: WriteOptions) {
    const body = { ...rotation, key_id: keyId };
    return this.transport.call('rotateApiKey', { body }, options);
  }

  /** Sets or removes the limits of a key. */
  limit(keyId: string, limits: Fields<'updateApiKeyLimits', 'key_id'>, options?: WriteOptions) {
    const body = { ...limits, key_id: keyId };
    return this.transport.call('updateApiKeyLimits', { body }, options);
  }

  /** Reads what a key has committed in the current period of its spending limit. */
  spending(keyId: string, options?: CallOptions) {
    return this.transport.call('getApiKeySpending', { path: { key_id: keyId } }, options);
  }

  /** Lists the changes to a key, newest first. */
  history(keyId: string, paging?: Query<'getApiKeyHistory'>, options?: CallOptions) {
    const input = { path: { key_id: keyId }, query: paging };
    return this.transport.list('getApiKeyHistory', input, options);
  }
}

/** Requests of keys that wait for the account, which alone may decide them. */
export class Approvals extends Resource {
  list(filter?: Query<'listApprovals'>, options?: CallOptions) {
    return this.transport.list('listApprovals', { query: filter }, options);
  }

  /** Reads an approval with the API key, for the program whose request waits. */
  get(approvalId: string, options?: CallOptions) {
    return this.transport.call('getApproval', { path: { approval_id: approvalId } }, options);
  }

  /** Reads an approval with the request that it carries out. */
  getRequest(approvalId: string, options?: CallOptions) {
    const path = { approval_id: approvalId };
    return this.transport.call('getApprovalRequest', { path }, options);
  }

  /** Carries the request out, once. */
  approve(approvalId: string, options?: WriteOptions) {
    return this.transport.call('approveRequest', { body: { approval_id: approvalId } }, options);
  }

  refuse(
    approvalId: string,
    refusal: Fields<'refuseRequest', 'approval_id'> = {},
    options?: WriteOptions,
  ) {
    const body = { ...refusal, approval_id: approvalId };
    return this.transport.call('refuseRequest', { body }, options);
  }
}

/** The company's account. */
export class Company extends Resource {
  register(company: Body<'registerCompany'>, options?: WriteOptions) {
    return this.transport.call('registerCompany', { body: company }, options);
  }

  /** Returns an account token. A client with the `account` option logs in by itself. */
  login(account: Body<'logIn'>, options?: WriteOptions) {
    return this.transport.call('logIn', { body: account }, options);
  }

  me(options?: CallOptions) {
    return this.transport.call('getCompany', {}, options);
  }
}
