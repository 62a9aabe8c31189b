import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { placesOf } from '../../access/company/currency.field';
import { storedEnvironment } from '../../platform/caller/environment.rules';
import type { StoredId } from '../../platform/database/identifiers';
import { currencyOf } from '../../platform/operator/company-argument';
import type { OperatorCommand, OperatorWork } from '../../platform/operator/operator.types';
import { readBalance } from './balance.statements';
import type { FundingKind } from './balance.types';
import { Fundings } from './fundings';

const USAGE = `Usage: npm run balance -- fund --company <company> --amount <amount> --reference <reference>
       npm run balance -- refund --company <company> --amount <amount> --reference <reference>
       npm run balance -- prepaid --company <company>
       npm run balance -- postpaid --company <company>
       npm run balance -- show --company <company>

fund adds money to the balance of a company, and refund takes some out that no campaign has. The same
reference with the same amount changes nothing, so an interrupted command can be run again. prepaid
lets the campaigns of the company pay with the balance only, and postpaid lets them pay without it
again; the amounts that they have held and paid until then are not part of what was funded.

A company is co_…, or test_… for its test data. An amount is in the currency of the company, such as
250 or 99.95. A reference has up to 200 characters, such as the number of an invoice.
`;

const DONE: Readonly<Record<FundingKind, string>> = { fund: 'Added to', refund: 'Taken from' };
const KINDS: readonly FundingKind[] = ['fund', 'refund'];
const ACTIONS: readonly string[] = [...KINDS, 'prepaid', 'postpaid', 'show'];

const AMOUNT = /^\d{1,10}(\.\d{1,2})?$/;
const AMOUNT_MAXIMUM = 1_000_000_000;
const REFERENCE_MAXIMUM = 200;

/** Movements that `show` prints. */
const SHOWN = 20;

/** @throws Error with everything that is wrong with the arguments */
function readCommand(args: readonly string[]): OperatorWork {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      company: { type: 'string' },
      amount: { type: 'string' },
      reference: { type: 'string' },
    },
  });
  const [action = '', ...more] = positionals;
  const kind = KINDS.find((each) => each === action);
  if (!ACTIONS.includes(action) || more.length > 0) {
    throw new Error(`balance needs one of fund, refund, prepaid, postpaid and show.\n\n${USAGE}`);
  }
  const { company = '', amount = '', reference = '' } = values;
  const environment = storedEnvironment(company);
  const wrong = [
    ...(environment === null ? ['--company needs a company, such as co_… or test_….'] : []),
    ...(kind === undefined ? [] : wrongWith(amount, reference)),
    ...(kind === undefined && (values.amount ?? values.reference) !== undefined
      ? [`${action} takes no --amount and no --reference.`]
      : []),
  ];
  if (environment === null || wrong.length > 0) {
    throw new Error(wrong.join('\n'));
  }
  return async ({ dataSource, stop }) => {
    const currency = await currencyOf(dataSource, environment);
    const fundings = new Fundings(dataSource);
    if (kind !== undefined) {
      const funding = { kind, amount, reference: reference.normalize('NFC').trim() };
      return fund(fundings, environment, company, currency, funding);
    }
    if (action !== 'show') {
      await fundings.setPrepaid(environment, action === 'prepaid', stop);
    }
    return show(dataSource, environment, company, currency);
  };
}

function wrongWith(amount: string, reference: string): string[] {
  const length = reference.normalize('NFC').trim().length;
  return [
    ...(AMOUNT.test(amount) && Number(amount) > 0 && Number(amount) <= AMOUNT_MAXIMUM
      ? []
      : ['--amount needs a number above 0 and up to 1000000000, with two decimals at most.']),
    ...(length > 0 && length <= REFERENCE_MAXIMUM && !reference.includes('\0')
      ? []
      : [`--reference needs 1 to ${REFERENCE_MAXIMUM} characters.`]),
  ];
}

async function fund(
  fundings: Fundings,
  companyId: StoredId,
  company: string,
  currency: string,
  { kind, amount, reference }: { kind: FundingKind; amount: string; reference: string },
): Promise<string> {
  if (placesOf(currency) === 0 && Number(amount) % 1 !== 0) {
    throw new Error(`--amount must be a whole number, because ${currency} has no decimals.`);
  }
  const { is_new, available } = await fundings.fund(companyId, kind, amount, reference);
  const done = is_new
    ? `${DONE[kind]} the balance of ${company}: ${amount} ${currency} (${reference}).`
    : `${reference} was done before: nothing changed.`;
  return `${done} Available: ${available} ${currency}.\n`;
}

async function show(
  dataSource: DataSource,
  companyId: StoredId,
  company: string,
  currency: string,
): Promise<string> {
  const { is_prepaid, is_low, ...amounts } = await readBalance(dataSource, companyId);
  const fundings = await new Fundings(dataSource).latest(companyId, SHOWN);
  const lines = [
    `${company} is ${is_prepaid ? 'prepaid' : 'postpaid'}${is_low ? ', and its balance is low' : ''}.`,
    ...(['available', 'allotted', 'held', 'paid', 'funded', 'postpaid'] as const).map(
      (name) => `${name.padEnd(10)}${amounts[name]} ${currency}`,
    ),
    ...fundings.map(
      ({ created_at, kind, amount, reference }) =>
        `${created_at.toISOString()}  ${kind.padEnd(6)}  ${amount} ${currency}  ${reference}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Funds balances, and decides which companies pay with theirs. */
export const BALANCE_COMMAND: OperatorCommand = {
  name: 'balance',
  usage: USAGE,
  read: readCommand,
};
