import { ERROR_ADVICE, ErrorCode } from '../../platform/protocol/error-codes';
import type { Json } from '../../platform/openapi/json-schema';

/** A refusal of a tool. `plan_mismatch` is the only code that no operation has. */
export interface Refusal extends Json {
  code: string;
  message: string;
}

/** What to do next where the advice for programs does not fit an agent. */
const NEXT: Readonly<Record<string, string>> = {
  approval_required:
    'Nothing has changed. The request waits for a person with the account of the company. Tell ' +
    'your user its approval_id, then poll get_approvals with it. If it is approved, it is carried ' +
    'out: do not send it again.',
  approval_refused: 'A person has refused this. Ask your user before you try anything else.',
  api_key_revoked: 'Ask your user for another key.',
  api_key_expired: 'Ask your user for another key.',
  insufficient_scope: 'Ask your user for a key with this scope. No tool can add it.',
  plan_mismatch: 'Call plan_campaign with the document, show the plan, and apply that one.',
  rate_limited: 'Wait retry_after seconds, then repeat the call.',
  service_unavailable: 'Wait a few seconds, then repeat the call: repeating it is safe.',
  internal_error: 'Repeat the call later: repeating it is safe. Tell your user the request_id.',
  spending_limit_exceeded:
    'Nothing has changed. The key may not commit so much: lower max_responses, budget or the ' +
    'reward, or ask your user to raise the limit of the key. No tool can raise it.',
  unbounded_cost:
    'Nothing has changed. A key with a limit only starts campaigns that have one: set ' +
    'max_responses or budget.',
  validation_failed: 'Correct the fields in details, then repeat the call.',
  version_conflict: 'The campaign has changed since. Read it again, and plan the change again.',
};

/** Ends a call with a refusal, which the model can read and react to. */
export class ToolError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }

  /** The refusal, with what to do next. */
  get described(): Json {
    const { code } = this.refusal;
    return { error: { ...this.refusal, next: NEXT[code] ?? ERROR_ADVICE[code as ErrorCode] } };
  }
}
