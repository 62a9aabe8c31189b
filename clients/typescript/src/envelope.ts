import { type CampaignServiceError, errorClass, type ErrorFields } from './errors.js';
import { rateLimitsOf, retryAfterOf, type WithResponse } from './response.js';
import type { ErrorCode, ErrorDetail } from './types.js';

/** What an error tells about its call. */
export type Context = Pick<ErrorFields, 'operation' | 'requestId' | 'idempotencyKey'>;

interface Envelope {
  success: boolean;
  message: string;
  data: unknown;
  error?: { code: ErrorCode; details: ErrorDetail[]; first_seq?: number };
}

/** Reads a complete response, from the service or from a proxy in front of it. */
export function readResponse<T>(
  response: Response,
  text: string,
  context: Context,
): WithResponse<T> | CampaignServiceError {
  const { status, headers } = response;
  const envelope = envelopeOf(text);
  const common = {
    // Browsers hide headers that the service does not expose to the page's origin.
    requestId: headers.get('x-request-id') ?? context.requestId,
    rateLimits: rateLimitsOf(headers),
  };
  if (response.ok && envelope?.success === true) {
    return {
      ...common,
      data: envelope.data as T,
      message: envelope.message,
      etag: headers.get('etag') ?? undefined,
      idempotentReplay: headers.get('idempotency-replayed') === 'true',
      response,
    };
  }
  const retryAfterSeconds = retryAfterOf(headers);
  const fields = { ...context, ...common, status, headers, body: text, retryAfterSeconds };
  const Failure = errorClass(status);
  if (response.ok || envelope?.error === undefined) {
    const type = headers.get('content-type') ?? 'no content type';
    const message = `The response is not from the Campaign Service: status ${status}, ${type}`;
    return new Failure(message, { ...fields, code: 'unexpected_response' });
  }
  return new Failure(envelope.message, { ...fields, ...envelope.error });
}

/** Browsers show this header of every response. */
const FILE = /^(application\/x-ndjson|text\/csv)\b/;

/** Reads a response that is a file, up to its body, or completely if it is an error. */
export async function readDownload(
  response: Response,
  context: Context,
): Promise<WithResponse<undefined> | CampaignServiceError> {
  const { ok, headers } = response;
  if (!ok || !FILE.test(headers.get('content-type') ?? '')) {
    // Even data of the service is unexpected here.
    const text = await response.text();
    return readResponse<undefined>(response, ok ? `Not a file: ${text}` : text, context);
  }
  return {
    data: undefined,
    message: '',
    requestId: headers.get('x-request-id') ?? context.requestId,
    etag: undefined,
    idempotentReplay: false,
    rateLimits: rateLimitsOf(headers),
    response,
  };
}

function envelopeOf(text: string): Envelope | undefined {
  let value: Partial<Envelope> | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return undefined;
  }
  const isEnvelope =
    typeof value?.success === 'boolean' &&
    typeof value.message === 'string' &&
    (value.success || typeof value.error?.code === 'string');
  return isEnvelope ? (value as Envelope) : undefined;
}
