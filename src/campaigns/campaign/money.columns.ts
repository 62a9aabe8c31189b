/** PostgreSQL's exact decimal with two places, as a decimal string in TypeScript. */
export const MONEY_COLUMN = { type: 'numeric', precision: 12, scale: 2 } as const;
