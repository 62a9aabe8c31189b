import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

/** Every schema of the service by its name, such as `Schemas['CreateSurvey']`. */
export type Schemas = components['schemas'];

/** The closed list of error codes; a program may switch over it. */
export type ErrorCode = Schemas['ErrorCode'];

/** A client of the service: a method for each HTTP method, typed by path. */
export type CampaignClient = Client<paths, 'application/json'>;

export interface Options {
  /** Where the service is, such as `https://campaigns.example.com`. */
  baseUrl: string;
  /** For everything about campaigns. */
  apiKey?: string;
  /** For the account and its API keys. */
  accessToken?: string;
}

/** Makes a client that sends these credentials with every request. */
export function createCampaignClient({ baseUrl, apiKey, accessToken }: Options): CampaignClient {
  return createClient<paths, 'application/json'>({
    baseUrl,
    headers: {
      ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
      ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
    },
  });
}
