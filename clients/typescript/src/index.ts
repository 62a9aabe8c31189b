export { CampaignClient, type ClientOptions } from './client.js';
export {
  AbortedError,
  AuthenticationError,
  CampaignServiceError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  ExportError,
  isCode,
  NotFoundError,
  PermissionError,
  FeedPositionExpiredError,
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
export type {
  ExportedResponse,
  ExportSummary,
  ResponseExport,
  SettlementFile,
  TransferExport,
} from './export.js';
export type { CursorStore, FollowOptions } from './follow.js';
export { isErrorOf } from './methods.js';
export type { Logger, LogLevel, RequestEvent, ResponseEvent } from './observe.js';
export type { HeaderValues } from './request.js';
export { ReceiptVerificationError, type ReceiptStatement, verifyReceipt } from './receipt.js';
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
export {
  type SettlementStatement,
  SettlementVerificationError,
  type SettlementVerificationReason,
  verifySettlement,
} from './settlement.js';
export {
  type ConditionalQuestion,
  type GivenAnswer,
  keyOf,
  shownContent,
  shownQuestions,
} from './shown-questions.js';
export type { Fetch } from './transport.js';
export type {
  Answer,
  ApiKey,
  BegunParticipation,
  CallOptions,
  Campaign,
  CampaignChange,
  CampaignDocument,
  CampaignEvent,
  CampaignResponse,
  CampaignSummary,
  Change,
  CohortRewards,
  CompanyAccount,
  Delivery,
  ErrorCode,
  ErrorCodeOf,
  ErrorDetail,
  EventOf,
  EventType,
  ExportPosition,
  FieldedCampaign,
  Guardrail,
  GuardrailCondition,
  Item,
  LaunchCheck,
  Operation,
  Query,
  Question,
  ReadParticipation,
  ReceiptKey,
  RequestBody,
  RequestOptions,
  ResponseData,
  Settlement,
  SubmittedParticipation,
  Transfer,
  VersionedWriteOptions,
  Webhook,
  WebhookMessage,
  WriteOptions,
} from './types.js';
export {
  type SignedMessage,
  signTestMessage,
  type TestEvent,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhook-message.js';
