/** What an API key may do. */
export const SCOPES = ['campaigns:read', 'campaigns:write'] as const;

export type Scope = (typeof SCOPES)[number];
