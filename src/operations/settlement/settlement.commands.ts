import { parseArgs } from 'node:util';
import { printEnvironment } from '../../platform/caller/environment.rules';
import { printId } from '../../platform/database/identifiers';
import { currencyOf, readCompany } from '../../platform/operator/company-argument';
import type {
  OperatorCommand,
  OperatorContext,
  OperatorWork,
} from '../../platform/operator/operator.types';
import type { Page } from '../../platform/protocol/cursor';
import { textTable, toSeconds } from '../../platform/operator/text-table';
import { checkText } from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';
import { PAGE_LIMIT_MAXIMUM, PageQueryDto } from '../../platform/validation/page-query.dto';
import { closeSettlements, Closing } from './settlement-closing';
import type { Settlement } from './settlement.entity';
import { REFERENCE_MAXIMUM, SETTLEMENT_STATES, SettlementState } from './settlement.types';
import { Owner, SettlementsService } from './settlements.service';

const USAGE = `Usage: npm run settlement -- <command>

  close [--company <company>] [--platform <platform>] [--to <seq>|now]
      Closes a settlement for each company and platform with payments since the last one. By default,
      of all companies up to now; <seq> is a number of the log of one company.
  paid --settlement <settlement_id> --reference <text>
      Records what a settlement was paid with.
  list [--company <company>] [--platform <platform>] [--state closed|paid]
      Lists settlements, newest first.
  show <settlement_id>
      Shows a settlement with its campaigns.

A company is co_…, or test_… for its test data, which is only closed by name. A settlement never
changes: what is taken back later is in the next one.
`;

const OWNER = { company: { type: 'string' }, platform: { type: 'string' } } as const;

/** @throws Error if the arguments are not valid */
function readCommand([command, ...args]: readonly string[]): OperatorWork {
  switch (command) {
    case undefined:
      throw new Error(USAGE.trimEnd());
    case 'close': {
      const options = { ...OWNER, to: { type: 'string' } } as const;
      const { company, platform, to = 'now' } = parseArgs({ args, options }).values;
      const companyId = company === undefined ? undefined : readCompany(company);
      if (to !== 'now' && (companyId === undefined || !/^[1-9]\d{0,14}$/.test(to))) {
        throw new Error('--to needs "now", or a number of the log of one --company.');
      }
      const limit = to === 'now' ? undefined : Number(to);
      return (context) => close({ companyId, platform, to: limit }, context);
    }
    case 'paid': {
      const options = { settlement: { type: 'string' }, reference: { type: 'string' } } as const;
      const { settlement, reference } = parseArgs({ args, options }).values;
      if (settlement === undefined || reference === undefined) {
        throw new Error('paid needs --settlement and --reference.');
      }
      return ({ dataSource }) => pay(new SettlementsService(dataSource), settlement, reference);
    }
    case 'list': {
      const options = { ...OWNER, state: { type: 'string' } } as const;
      const { company, platform, state } = parseArgs({ args, options }).values;
      const states: readonly (string | undefined)[] = [undefined, ...SETTLEMENT_STATES];
      if (!states.includes(state)) {
        throw new Error(`--state is ${SETTLEMENT_STATES.join(' or ')}.`);
      }
      const companyId = company === undefined ? undefined : readCompany(company);
      const owner = { companyId, platform };
      return (context) => list(owner, state as SettlementState | undefined, context);
    }
    case 'show': {
      const { positionals } = parseArgs({ args, allowPositionals: true });
      const [settlement, ...more] = positionals;
      if (settlement === undefined || more.length > 0) {
        throw new Error('show needs the settlement_id of one settlement, which "list" shows.');
      }
      return (context) => show(settlement, context);
    }
    default:
      throw new Error(`Unknown command "${command}": use close, paid, list or show.`);
  }
}

/** Closes, pays, lists and shows settlements. */
export const SETTLEMENT_COMMAND: OperatorCommand = {
  name: 'settlement',
  usage: USAGE,
  read: readCommand,
};

async function close(options: Closing, { dataSource, stop }: OperatorContext): Promise<string> {
  const { companyId, to } = options;
  if (companyId !== undefined) {
    await currencyOf(dataSource, companyId);
  }
  const { settlements, companies, failed } = await closeSettlements(dataSource, options, stop);
  const closed = `Closed ${settlements.length} settlements of ${companies} companies.\n`;
  if (failed.length > 0) {
    throw new Error(`${closed}Not closed:\n${failed.join('\n')}`);
  }
  const service = new SettlementsService(dataSource);
  const rows =
    companyId === undefined || to === undefined
      ? await service.findAll(settlements)
      : await service.endingAt(companyId, to, options.platform);
  return closed + tableOf(rows);
}

async function pay(settlements: SettlementsService, id: string, text: string): Promise<string> {
  const reference = normalizeText(text.trim());
  const [problem] = checkText(reference, REFERENCE_MAXIMUM);
  if (problem !== undefined) {
    throw new Error(`The reference ${problem.message}.`);
  }
  const paid = await settlements.pay(id, reference);
  if (paid !== reference) {
    throw new Error(`${id} is paid already, with another reference: ${paid}`);
  }
  return `${id} is paid: ${reference}\n`;
}

async function list(
  owner: Owner,
  state: SettlementState | undefined,
  { dataSource, stop }: OperatorContext,
): Promise<string> {
  const settlements = new SettlementsService(dataSource);
  const rows = await allOf(stop, (page) => settlements.list(owner, { ...page, state }));
  return rows.length === 0 ? 'There are no such settlements.\n' : tableOf(rows);
}

async function show(id: string, { dataSource, stop }: OperatorContext): Promise<string> {
  const settlements = new SettlementsService(dataSource);
  const found = await settlements.find({}, id);
  const lines = await allOf(stop, (page) => settlements.lines(found, page));
  const { previousId, fromSeq, toSeq, sha256 } = found;
  const facts = textTable([
    ['numbers of the log', `${Number(fromSeq) + 1} to ${toSeq}`],
    ['previous', previousId === null ? '-' : printId('stl', previousId)],
    ['sha256', sha256.toString('hex')],
  ]);
  const campaigns = lines.map(({ post_id, payments, net }) => [post_id, payments, net]);
  return `${tableOf([found])}\n${facts}\n${textTable([['CAMPAIGN', 'PAYMENTS', 'NET'], ...campaigns])}`;
}

/** Reads all pages of a list. */
async function allOf<Row>(
  stop: AbortSignal,
  read: (page: PageQueryDto) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    stop.throwIfAborted();
    const page = await read({ limit: PAGE_LIMIT_MAXIMUM, cursor });
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

const HEAD = [
  'SETTLEMENT',
  'COMPANY',
  'PLATFORM',
  'PAYMENTS',
  'NET',
  'CLOSED',
  'PAID',
  'REFERENCE',
];

function tableOf(settlements: readonly Settlement[]): string {
  const rows = settlements.map((each) => [
    printId('stl', each.settlementId),
    printEnvironment(each.companyId),
    each.platform,
    each.payments,
    `${each.net} ${each.currency}`,
    toSeconds(each.closedAt),
    toSeconds(each.paidAt),
    each.reference ?? '-',
  ]);
  return rows.length === 0 ? '' : textTable([HEAD, ...rows]);
}
