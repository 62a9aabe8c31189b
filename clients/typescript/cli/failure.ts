import {
  AbortedError,
  AuthenticationError,
  CampaignServiceError,
  ConnectionError,
  isCode,
  PermissionError,
  RateLimitError,
  ServerError,
} from 'campaign-service-client';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Ends a command: what is wrong, and what to do about it. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    readonly next?: string,
  ) {
    super(message);
  }
}

/** What is printed about an error. The fields of `--json` are those of `error`. */
export interface Failure {
  exitCode: ExitCode;
  error: {
    code: string;
    message: string;
    status: number | null;
    request_id: string | null;
    details: readonly { field: string; code: string; message: string }[];
    next: string | null;
    /** What else the service says about it, such as `approval_id` or `limit`. */
    [property: string]: unknown;
  };
}

type ServiceProperties = Record<string, unknown> & { approval_id?: string };

export function failureOf(error: unknown): Failure {
  if (error instanceof CampaignServiceError) {
    const properties = propertiesOf(error);
    return {
      exitCode: exitCodeOf(error),
      error: {
        ...properties,
        code: error.code,
        message: error.message,
        status: error.status ?? null,
        request_id: error.status === undefined ? null : error.requestId,
        details: error.details,
        next: nextStepOf(error, properties.approval_id) ?? null,
      },
    };
  }
  const known = error instanceof CommandError ? error : undefined;
  return {
    exitCode: known?.exitCode ?? EXIT.failed,
    error: {
      code: 'command_failed',
      message: error instanceof Error ? error.message : String(error),
      status: null,
      request_id: null,
      details: [],
      next: known?.next ?? null,
    },
  };
}

/** All that the service says about an error, for programs. A proxy says nothing of the kind. */
function propertiesOf({ body, code }: CampaignServiceError): ServiceProperties {
  if (body === undefined || code === 'unexpected_response') {
    return {};
  }
  return (JSON.parse(body) as { error?: ServiceProperties }).error ?? {};
}

function exitCodeOf(error: CampaignServiceError): ExitCode {
  if (error instanceof AbortedError) {
    return EXIT.interrupted;
  }
  if (error instanceof AuthenticationError || error instanceof PermissionError) {
    return EXIT.credential;
  }
  if (isCode(error, 'version_conflict')) {
    return EXIT.changed;
  }
  if (isCode(error, 'approval_required')) {
    return EXIT.approval;
  }
  const isTemporary =
    error instanceof ConnectionError ||
    error instanceof RateLimitError ||
    error instanceof ServerError;
  if (isTemporary || error.code === 'export_incomplete') {
    return EXIT.unavailable;
  }
  return error.status === undefined ? EXIT.failed : EXIT.refused;
}

function nextStepOf(
  error: CampaignServiceError,
  approvalId: string | undefined,
): string | undefined {
  if (isCode(error, 'approval_required') && approvalId !== undefined) {
    return (
      `Read what waits: campaign api getApprovalRequest --approval_id ${approvalId}\n` +
      `Approve it: campaign api approveRequest --approval_id ${approvalId}\n` +
      'Both need CAMPAIGN_TOKEN, a token of the account: campaign api logIn returns one.\n' +
      `What becomes of it: campaign api getApproval --approval_id ${approvalId}`
    );
  }
  if (isCode(error, 'token_missing', 'token_invalid')) {
    return 'Set CAMPAIGN_TOKEN to an account token: campaign api logIn returns one.';
  }
  if (isCode(error, 'insufficient_scope')) {
    return 'Generate a key with this scope, and log in with it: campaign login.';
  }
  if (isCode(error, 'invalid_credentials')) {
    return 'Check the email address and the password. Without an account: campaign register.';
  }
  if (error instanceof AuthenticationError) {
    return 'Log in with another key: campaign login.';
  }
  if (isCode(error, 'campaign_not_owned')) {
    return 'Your campaigns: campaign list. If it belongs to you, log in with the key of its company.';
  }
  if (isCode(error, 'campaign_not_found')) {
    return 'Your campaigns: campaign list.';
  }
  if (isCode(error, 'approval_not_found')) {
    return 'The approvals of the account, with CAMPAIGN_TOKEN: campaign api listApprovals.';
  }
  if (isCode(error, 'version_conflict')) {
    return 'Read what has changed, and plan again: campaign plan.';
  }
  if (isCode(error, 'spending_limit_exceeded', 'unbounded_cost')) {
    return 'Lower max_responses or budget in the document, or ask the account for another limit.';
  }
  if (isCode(error, 'document_incomplete')) {
    return 'No campaign has this external_ref yet. An example of a whole document: campaign init.';
  }
  if (error instanceof RateLimitError && error.retryAfterSeconds !== undefined) {
    return `Try again in ${Math.ceil(error.retryAfterSeconds)} seconds.`;
  }
  if (error instanceof ConnectionError) {
    return 'Check that the service runs, and its address: campaign status.';
  }
  if (error instanceof ServerError) {
    return 'Try again later. The request id identifies the request for the operator.';
  }
  return undefined;
}
