import type { OPERATIONS, Scheme } from './operations.js';
import type { HeaderValues } from './request.js';
import type { components, operations } from './schema.js';

/** The name of an operation: its `operationId` in the OpenAPI document. */
export type Operation = keyof typeof OPERATIONS;

/** The request body of an operation. */
export type RequestBody<O extends Operation> = operations[O] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The request body of an operation, without a field that the method takes as an argument. */
export type Fields<O extends Operation, Argument extends keyof RequestBody<O>> = Omit<
  RequestBody<O>,
  Argument
>;

/** The query parameters of an operation. */
export type Query<O extends Operation> = NonNullable<operations[O]['parameters']['query']>;

/** The path parameters of an operation. */
export type Path<O extends Operation> = NonNullable<operations[O]['parameters']['path']>;

/** What an operation returns: `data` of the service's envelope. */
export type ResponseData<O extends Operation> = operations[O]['responses'] extends {
  200: { content: { 'application/json': { data: infer Data } } };
}
  ? Data
  : never;

/** An entry of the pages that an operation returns. */
export type Item<O extends Operation> =
  ResponseData<O> extends { items: readonly (infer Entry)[] } ? Entry : never;

/** The error responses of an operation, by status. */
type Failures<O extends Operation> = Omit<operations[O]['responses'], 200>;

/** The codes of the errors that the service returns for one operation. */
export type ErrorCodeOf<O extends Operation> = {
  [Status in keyof Failures<O>]: Failures<O>[Status] extends {
    content: { 'application/json': { error: { code: infer Code extends string } } };
  }
    ? Code
    : never;
}[keyof Failures<O>];

/** The code of every error that the service returns. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** A respondent's answer. It names what it is about by its position, from 1. */
export type Answer = components['schemas']['Answer'];

/** What a respondent submitted, as the campaign's company reads it. */
export type CampaignResponse = components['schemas']['CampaignResponse'];

/** The type of every event. */
export type EventType = components['schemas']['EventType'];

/** Something that happened. Its `type` tells which fields its `changes` have. */
export type CampaignEvent = components['schemas']['Event'];

/** The events of one type, or of several. */
export type EventOf<T extends EventType> = Extract<CampaignEvent, { type: T }>;

/** What a webhook receives about an event. Its `type` tells which event its `data` is. */
export type WebhookMessage = components['schemas']['WebhookMessage'];

/** A campaign with everything that is stored about it. */
export type Campaign = components['schemas']['Campaign'];

/** A campaign in a list. */
export type CampaignSummary = components['schemas']['CampaignSummary'];

/** A whole campaign, to be applied in one call. */
export type CampaignDocument = components['schemas']['CampaignDocument'];

/** A question of a survey, or about an advertisement. */
export type Question = components['schemas']['Question'];

/** The rewards of the five cohorts. */
export type CohortRewards = components['schemas']['CohortRewards'];

/** What would prevent a start, and what a campaign can cost. */
export type LaunchCheck = components['schemas']['LaunchCheck'];

/** A change of a campaign or an API key, in its history. */
export type Change = components['schemas']['Change'];

/** A change of a campaign, with the currency of its amounts. */
export type CampaignChange = components['schemas']['CampaignChange'];

/** A rule that stops or reports a campaign. */
export type Guardrail = components['schemas']['Guardrail'];

/** A metric of a campaign, compared with a value. Its `metric` tells which parameters it has. */
export type GuardrailCondition = components['schemas']['Condition'];

/** A movement of money. */
export type Transfer = components['schemas']['Transfer'];

/** What respondents of a platform were paid in the campaigns of a company since the last one. */
export type Settlement = components['schemas']['Settlement'];

/** A public key that receipts and settlements are verified with. */
export type ReceiptKey = components['schemas']['ReceiptKey'];

/** An endpoint that receives events. */
export type Webhook = components['schemas']['Webhook'];

/** An event that was sent to a webhook, or is waiting. */
export type Delivery = components['schemas']['Delivery'];

/** An API key, without its secret. */
export type ApiKey = components['schemas']['ApiKey'];

/** A company's account. */
export type CompanyAccount = components['schemas']['Company'];

/** A campaign that a respondent can begin. */
export type FieldedCampaign = components['schemas']['FieldedCampaign'];

/** What a respondent has begun: the questions to show, and until when. */
export type BegunParticipation = components['schemas']['BegunParticipation'];

/** What a respondent is paid, with its receipt. */
export type SubmittedParticipation = components['schemas']['SubmittedParticipation'];

/** A participation: where it is in its life, and what came of it. */
export type ReadParticipation = components['schemas']['ReadParticipation'];

/** A wrong field of a request, and what is wrong with it. */
export type ErrorDetail = components['schemas']['ErrorDetail'];

/** Where an export can be continued, with the other parameters as they were. */
export interface ExportPosition {
  /** The number of the last whole row; before the first, the `after_seq` of the call. */
  after_seq: number;
  /** Up to which number the export accounts for all responses; undefined before it has begun. */
  up_to_seq: number | undefined;
}

/** Options of every method. */
export interface CallOptions {
  /** Headers of this request, besides those of the client. */
  headers?: HeaderValues | undefined;
  /** Cancels the call; it then throws an {@link AbortedError}. */
  signal?: AbortSignal | undefined;
  /** Time limit of each attempt in milliseconds. */
  timeoutMs?: number | undefined;
  /** How often to retry the request after a transient failure. */
  maxRetries?: number | undefined;
}

/** Options of a method that changes something. */
export interface WriteOptions extends CallOptions {
  /** The service does the work once per key. By default every call gets a new key. */
  idempotencyKey?: string | undefined;
}

/** Options of a method that changes a campaign. */
export interface VersionedWriteOptions extends WriteOptions {
  /** The `etag` of the version to change. If the campaign has changed since, the call fails. */
  ifMatch?: string | undefined;
}

/** Options of `client.request()`. */
export interface RequestOptions extends VersionedWriteOptions {
  /** Parameters of the query. */
  query?: object | undefined;
  /** The body, to be sent as JSON. */
  body?: unknown;
  /**
   * By default the first that the client has: its key, otherwise its account token. `null` sends
   * none.
   */
  credential?: Scheme | null | undefined;
}
