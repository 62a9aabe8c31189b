import { accountCredential, keyCredential, tokenCredential } from './credentials.js';
import {
  Advertisements,
  Campaigns,
  CohortRewards,
  Company,
  Events,
  ImageSurveys,
  Keys,
  Ledger,
  Questions,
  Responses,
  Surveys,
  Webhooks,
} from './resources.js';
import { type Credentials, Transport, type TransportOptions } from './transport.js';
import type { RequestBody } from './types.js';

export interface ClientOptions extends TransportOptions {
  /** Authenticates everything but `company` and `keys`. */
  apiKey?: string | undefined;
  /** Authenticates `company` and `keys`: the client logs in, and again before its token expires. */
  account?: RequestBody<'logIn'> | undefined;
  /** Replaces `account`: an account token, or a function that returns the current one. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
}

/** A client of the Campaign Service, for a company. */
export class CampaignClient {
  readonly advertisements: Advertisements;
  readonly campaigns: Campaigns;
  readonly cohortRewards: CohortRewards;
  readonly company: Company;
  readonly events: Events;
  readonly imageSurveys: ImageSurveys;
  readonly keys: Keys;
  readonly ledger: Ledger;
  readonly questions: Questions;
  readonly responses: Responses;
  readonly surveys: Surveys;
  readonly webhooks: Webhooks;

  /** @throws TypeError if `baseUrl` is not an http or https URL */
  constructor({ apiKey, account, accessToken, ...options }: ClientOptions) {
    const credentials: Credentials = {};
    const transport = new Transport(options, credentials);
    if (apiKey !== undefined) {
      credentials.api_key = keyCredential(apiKey);
    }
    if (accessToken !== undefined) {
      credentials.account_token = tokenCredential(accessToken);
    } else if (account !== undefined) {
      credentials.account_token = accountCredential(() => this.company.login(account));
    }
    this.advertisements = new Advertisements(transport);
    this.campaigns = new Campaigns(transport);
    this.cohortRewards = new CohortRewards(transport);
    this.company = new Company(transport);
    this.events = new Events(transport);
    this.imageSurveys = new ImageSurveys(transport);
    this.keys = new Keys(transport);
    this.ledger = new Ledger(transport);
    this.questions = new Questions(transport);
    this.responses = new Responses(transport);
    this.surveys = new Surveys(transport);
    this.webhooks = new Webhooks(transport);
  }
}
