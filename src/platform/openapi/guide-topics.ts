import { DETAIL_CODES } from '../protocol/detail-codes';
import { ERROR_ADVICE, ERROR_STATUS, ErrorCode } from '../protocol/error-codes';
import type { Topic } from './document-content';

/*
 * The chapters of the reference that apply to every operation.
 */

const AUTHENTICATION = `The service has three credentials.

| Credential | Header | Used for | How to get it |
| --- | --- | --- | --- |
| account token | \`Authorization: Bearer …\` | your account and its API keys | register or log in |
| API key | \`X-API-Key: csk_…\` | everything about campaigns | generate one with the account token |
| platform key | \`X-API-Key: cpk_…\` | bringing respondents to live campaigns of all companies | the operator of the service generates it |

An account token expires after \`expires_in\` seconds; log in for a new one. An API key is shown once, when it is generated. It works until its \`expires_at\`, or until you revoke or rotate it. Its scopes say what it may do; \`x-required-scopes\` of an operation names those it needs.

A key with the mode \`test\` begins with \`csk_test_\`. What it makes is test data, which no live key and no platform sees or changes; live data does not exist for a test key. On its own test campaigns a test key can also do what a platform key does on live ones, or simulate respondents: \`x-test-key-scope\` of an operation for platforms names the scope it needs.

Every operation on a campaign checks that the campaign belongs to your company: another company's campaign is a 403 \`campaign_not_owned\`, an unknown one a 404 \`campaign_not_found\`.`;

const REQUESTS = `Request bodies are JSON in UTF-8 with \`Content-Type: application/json\`.

- Unknown fields are refused, so that a misspelled field is never ignored. So are unknown query parameters of the lists and histories, which OpenAPI cannot express.
- Nothing is converted: \`"5"\` is not a number. \`null\` is refused except where a field says otherwise.
- Text is trimmed, brought into Unicode's NFC and given \`\\n\` for \`\\r\\n\` and \`\\r\` before it is checked, and must have a visible character, in the body and in the query. Passwords are not trimmed.
- Money is a decimal with the places of the currency's minor unit, and at most two: in JPY, every amount is a whole number. Computed amounts are rounded half up. \`x-decimal-places\` of a schema states the places.`;

const RESPONSES = `Every response is JSON with three members: \`success\`, \`message\` for people, and \`data\`. A success is always status 200, also for something new.

Send an \`x-request-id\` to find a request again in the service's log; otherwise the service makes one. The response returns it.

Lists return \`items\` and \`next_cursor\`. Send \`next_cursor\` as \`cursor\`, with the same filters, until it is \`null\`. The list of events continues with \`covers.to\` as \`after\` instead.`;

/** Tables of every code, for clients that switch over them. */
function errors(): string {
  const codes = (Object.entries(ERROR_STATUS) as [ErrorCode, number][]).map(
    ([code, status]) => `| ${status} | \`${code}\` | ${ERROR_ADVICE[code]} |`,
  );
  const details = Object.entries(DETAIL_CODES).map(
    ([code, meaning]) => `| \`${code}\` | ${meaning} |`,
  );
  return `An error has \`success: false\`, \`data: null\` and \`error\` with a \`code\`, the \`request_id\` and \`details\`. Switch over \`error.code\`; \`message\` may change.

| Status | \`error.code\` | What to do |
| --- | --- | --- |
${codes.join('\n')}

\`details\` has one entry for each invalid field, with its path in \`field\`, such as \`questions[1].options\`. It is empty when no single field is to blame.

| \`details[].code\` | The field … |
| --- | --- |
${details.join('\n')}`;
}

const RETRIES = `Every POST, PATCH and PUT accepts an \`Idempotency-Key\`: 1 to 255 visible ASCII characters of your choice, such as a UUID. When you send the same request again with the same key within 24 hours, the service does not repeat the work. It returns the first outcome, with \`Idempotency-Replayed: true\`.

| Response | Retry |
| --- | --- |
| none, or 408 | with the same key |
| 409 \`idempotency_in_progress\` | after \`Retry-After\` seconds, with the same key |
| 429, 503 | after \`Retry-After\` seconds, with the same key |
| 500 | with the same key; quote the \`request_id\` if it happens again |
| any other error | change the request first |

The same key with a different request is a 422 \`idempotency_key_reused\`.`;

const VERSIONS = `Every read and write of a campaign returns its version as an \`ETag\`. Send it as \`If-Match\` with a write, and the service refuses the write with 412 \`version_conflict\` if the campaign has changed since.

The paths carry no version of the interface. New operations, optional request fields and response fields can appear at any time; ignore fields that you do not know.`;

const RATE_LIMITS = `Requests are counted by address, and by API key or account. Registrations, logins and refused credentials have limits of their own. Each counted response says what remains:

\`\`\`
RateLimit-Policy: "address";q=3000;w=60, "key";q=1200;w=60
RateLimit: "address";r=2987;t=41, "key";r=1187;t=41
\`\`\`

The limit is \`q\` requests in a window of \`w\` seconds; \`r\` remain for the next \`t\` seconds. Requests over the limit get 429 \`rate_limited\` with \`Retry-After\`. Health checks are never limited.`;

export const GUIDE_TOPICS: readonly Topic[] = [
  { name: 'Authentication', description: AUTHENTICATION },
  { name: 'Requests', description: REQUESTS },
  { name: 'Responses', description: RESPONSES },
  { name: 'Errors', description: errors() },
  { name: 'Retries', description: RETRIES },
  { name: 'Versions', description: VERSIONS },
  { name: 'Rate limits', description: RATE_LIMITS },
];
