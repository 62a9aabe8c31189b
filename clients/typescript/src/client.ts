import {
  accountCredential,
  keyCredential,
  requireCredential,
  tokenCredential,
} from './credentials.js';
import {
  Advertisements,
  Approvals,
  Campaigns,
  CohortRewards,
  Targeting,
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
  Webhooks,
} from './resources.js';
import { type Credentials, Transport, type TransportOptions } from './transport.js';
import type { RequestBody, RequestOptions } from './types.js';

export interface ClientOptions extends TransportOptions {
  /** Authenticates everything but `approvals`, `company` and `keys`; `approvals.get` too. */
  apiKey?: string | undefined;
  /** Authenticates `approvals`, `company` and `keys`: the client logs in, and again before its token expires. */
  account?: RequestBody<'logIn'> | undefined;
  /** Replaces `account`: an account token, or a function that returns the current one. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
}

/** A client of the Campaign Service, for a company. */
export class CampaignClient {
  readonly advertisements: Advertisements;
  readonly approvals: Approvals;
  readonly campaigns: Campaigns;
  readonly cohortRewards: CohortRewards;
  readonly targeting: Targeting;
  readonly company: Company;
  readonly events: Events;
  readonly guardrails: Guardrails;
  readonly imageSurveys: ImageSurveys;
  readonly keys: Keys;
  readonly ledger: Ledger;
  readonly questions: Questions;
  readonly responses: Responses;
  readonly results: Results;
  readonly settlements: Settlements;
  readonly surveys: Surveys;
  readonly webhooks: Webhooks;

  readonly #options: ClientOptions;
  readonly #credentials: Credentials = {};
  readonly #transport: Transport;

  /** @throws TypeError if an option is invalid, or there is no credential */
  constructor(options: ClientOptions) {
    requireCredential(options, ['apiKey', 'account', 'accessToken']);
    const { apiKey, account, accessToken } = options;
    const credentials = this.#credentials;
    const transport = new Transport(options, credentials);
    this.#options = options;
    this.#transport = transport;
    if (apiKey !== undefined) {
      credentials.api_key = keyCredential(apiKey);
    }
    if (accessToken !== undefined) {
      credentials.account_token = tokenCredential(accessToken);
    } else if (account !== undefined) {
      credentials.account_token = accountCredential(() => this.company.login(account));
    }
    this.advertisements = new Advertisements(transport);
    this.approvals = new Approvals(transport);
    this.campaigns = new Campaigns(transport);
    this.cohortRewards = new CohortRewards(transport);
    this.targeting = new Targeting(transport);
    this.company = new Company(transport);
    this.events = new Events(transport);
    this.guardrails = new Guardrails(transport);
    this.imageSurveys = new ImageSurveys(transport);
    this.keys = new Keys(transport);
    this.ledger = new Ledger(transport);
    this.questions = new Questions(transport);
    this.responses = new Responses(transport);
    this.results = new Results(transport);
    this.settlements = new Settlements(transport);
    this.surveys = new Surveys(transport);
    this.webhooks = new Webhooks(transport);
  }

  /** Returns a client with other options. It shares the account token of this one. */
  withOptions(changes: Partial<ClientOptions>): CampaignClient {
    const client = new CampaignClient({ ...this.#options, ...changes });
    const isOther = ['baseUrl', 'account', 'accessToken'].some((name) => name in changes);
    if (!isOther && this.#credentials.account_token !== undefined) {
      client.#credentials.account_token = this.#credentials.account_token;
    }
    return client;
  }

  /** Sends a request to a route that this version has no method for, and returns its `data`. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions) {
    return this.#transport.request<T>(method, path, options);
  }
}
