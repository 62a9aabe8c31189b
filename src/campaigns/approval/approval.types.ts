import type { StoredId } from '../../platform/database/identifiers';

/**
 * What became of a request: it waits, was carried out, was refused, was not approved in time, or
 * cannot be carried out any more because its campaign has changed.
 */
export const APPROVAL_STATES = ['pending', 'approved', 'refused', 'expired', 'outdated'] as const;

export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A request of a key that commits more than the key may without its account. */
export interface Approval {
  companyId: StoredId;
  approvalId: StoredId;
  keyId: StoredId;
  /** The `operationId` of the request in the OpenAPI document. */
  operation: string;
  /** The campaign that it changes or has created, and the version that it changes. */
  postId: string | null;
  version: number | null;
  currency: string;
  /** Exact decimals; `null` if nothing limits what the campaign can cost, or has limited it. */
  commits: string | null;
  adds: string | null;
  state: ApprovalState;
  reason: string | null;
  requestedAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
}

/** An approval with the body of its request, as JSON. */
export type ApprovalWithRequest = Approval & { body: string };
