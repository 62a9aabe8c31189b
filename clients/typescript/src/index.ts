export { CampaignClient, type ClientOptions } from './client.js';
export {
  AbortedError,
  AuthenticationError,
  CampaignServiceError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  isCode,
  isErrorOf,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.js';
export {
  type Participation,
  PlatformClient,
  type PlatformClientOptions,
} from './platform-client.js';
export type { Reconciliation } from './resources.js';
export type {
  ApiPromise,
  CursorPage,
  Page,
  PagePromise,
  RateLimit,
  WithResponse,
} from './response.js';
export type { components, operations, paths } from './schema.js';
export type { Fetch } from './transport.js';
export type {
  Answer,
  CallOptions,
  CampaignResponse,
  ErrorCode,
  ErrorCodeOf,
  ErrorDetail,
  EventType,
  Item,
  Operation,
  Query,
  RequestBody,
  ResponseData,
  VersionedWriteOptions,
  WebhookMessage,
  WriteOptions,
} from './types.js';
export {
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verify-webhook.js';
