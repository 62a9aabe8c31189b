import { isDeepStrictEqual } from 'node:util';

/** The answers to a question, or the quotas that a response counts in. */
export type Variable = { question: string } | { quotas: string[] };

/** What the tally of a campaign is also kept by: see the table `tabulation`. */
export interface Tabulation {
  number: number;
  variables: Variable[];
}

/** The complete tabulations of a campaign, as JSON. */
export const TABULATIONS = `(
  SELECT json_agg(json_build_object('number', t.number, 'variables', t.variables))
  FROM tabulation AS t
  WHERE t.company_id = $1 AND t.campaign_id = campaign.id
    AND NOT t.removed AND t.filled_seq = t.after_seq
)`;

/** Cells of the tally for each tabulation; the first of them is that of no answer. */
const CELLS = 500;

/** The cell of a column of a tabulation, as the function `tabulated_cells` numbers them. */
export function cellOf({ number }: Tabulation, column: number): number {
  return -(CELLS * number + column);
}

/** The column that a cell is of. */
export const columnOfCell = (cell: number): number => -cell % CELLS;

/** All cells that a tabulation can have. */
export const cellsOf = (tabulation: Tabulation): number[] =>
  Array.from({ length: CELLS }, (_, column) => cellOf(tabulation, column));

export function findTabulation(
  tabulations: readonly Tabulation[] | null,
  variables: readonly Variable[],
): Tabulation | undefined {
  return tabulations?.find((each) => isDeepStrictEqual(each.variables, variables));
}
