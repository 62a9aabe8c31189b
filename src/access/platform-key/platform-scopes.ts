/** What a platform key may do. */
export const PLATFORM_SCOPES = ['fielding:read', 'fielding:write', 'settlements:read'] as const;

export type PlatformScope = (typeof PLATFORM_SCOPES)[number];
