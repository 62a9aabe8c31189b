/** Page sizes of statements. Fixed page sizes keep the number of prepared statements small. */
const LIMITS = [1, 20, 100, 300, 1_000] as const;

/**
 * Returns the limit of the statement for a page: at least the limit of the page, to which the rows
 * are then cut.
 *
 * The limit is part of a statement's text, and a process prepares a limited number of texts for all
 * companies. If the text had the limit that a client asks for, one that asks for many would use
 * them up.
 */
export const statementLimit = (limit: number) => LIMITS.find((each) => each >= limit) ?? limit;
