/** What an API key may do. */
export const SCOPES = [
  'campaigns:read',
  'campaigns:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'responses:read',
  'ledger:read',
] as const;

export type Scope = (typeof SCOPES)[number];
