import { parseArgs } from 'node:util';
import type { StoredId } from '../../platform/database/identifiers';
import { currencyOf, readCompany } from '../../platform/operator/company-argument';
import type {
  OperatorCommand,
  OperatorContext,
  OperatorWork,
} from '../../platform/operator/operator.types';
import { DIFFERENCES_MAXIMUM } from './ledger.dto';
import { printSettlementDifference } from './settlement-differences';
import { printDifference, ReconciliationService } from './reconciliation.service';

const USAGE = `Usage: npm run reconcile -- <company>

Compares all books of a company now: the transfers and the carried balances of its campaigns with
their participations, these with the counters, and settlements, the balance and spending limits with them.
It changes nothing, and fails if anything differs.
Of each 10,000 participations it counts the first ${DIFFERENCES_MAXIMUM} differences. A company is
co_…, or test_… for its test data, as the log prints it.
`;

/** Differences that are printed. */
const PRINTED_MAXIMUM = 100;

/** @throws Error if the arguments are not valid */
function readReconcile(args: readonly string[]): OperatorWork {
  const [company, ...more] = parseArgs({ args: [...args], allowPositionals: true }).positionals;
  if (company === undefined || more.length > 0) {
    throw new Error('reconcile needs one company, such as co_… or test_….');
  }
  const environment = readCompany(company);
  return (context) => reconcile(company, environment, context);
}

/** @throws Error with the differences, or if there is no such company */
async function reconcile(
  company: string,
  environment: StoredId,
  { dataSource, stop }: OperatorContext,
): Promise<string> {
  await currencyOf(dataSource, environment);
  const reconciliation = new ReconciliationService(dataSource);
  let checked = 0;
  let differing = 0;
  const printed: string[] = [];
  let cursor: string | undefined;
  do {
    if (stop.aborted) {
      throw new Error('Stopped before the end.');
    }
    const page = await reconciliation.reconcile(environment, cursor);
    cursor = page.nextCursor ?? undefined;
    checked += page.checked;
    differing += page.differences.length;
    const room = PRINTED_MAXIMUM - printed.length;
    printed.push(...page.differences.slice(0, room).map(printDifference));
  } while (cursor !== undefined);
  const settlements = await reconciliation.compareSettlements(environment);
  differing += settlements.length;
  printed.push(...settlements.map(printSettlementDifference));
  const compared = `Compared ${checked} participations of ${company}`;
  if (differing > 0) {
    throw new Error([`${compared}: ${differing} differences.`, ...printed].join('\n'));
  }
  return `${compared}: the books balance.\n`;
}

/** Compares the books of one company. */
export const RECONCILE_COMMAND: OperatorCommand = {
  name: 'reconcile',
  usage: USAGE,
  read: readReconcile,
};
