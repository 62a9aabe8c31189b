import type { Command } from 'commander';
import { asksForPassword, type Call, readCall } from '../api-arguments.js';
import { addCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { refuseExisting, writeWhole } from '../files.js';
import { type OperationRoute, OPERATIONS } from '../operations.js';
import { readSecret } from '../secret.js';
import type { Session } from '../session.js';
import { indented, table } from '../text.js';

const AFTER_HELP = `
Examples:
  campaign api                                          list the operations
  campaign api getCampaign --help                       print the fields of one
  campaign api getCampaign --post_id post_01k9…
  campaign api updateCampaign --post_id post_01k9… --budget 500
  campaign api createSurvey -d @survey.json             the body from a file; - is standard input

A value of --field is read by its type: JSON for numbers, booleans, lists and objects.
Further options: --if-match, --idempotency-key; -o and --force for operations that return a file.`;

/** Adds `api`, which calls any operation of the service. */
export function addApi(program: Command, session: Session): void {
  addCommand(
    program,
    session,
    'api [operation] [options...]',
    'Call any operation of the service; without one, list them',
    (command) => command.passThroughOptions().allowUnknownOption().addHelpText('after', AFTER_HELP),
    async (_options, operation, ...rest) => {
      const args = (rest as unknown as string[][])[0] ?? [];
      if (operation === undefined) {
        listOperations(session);
        return;
      }
      const route = OPERATIONS[operation];
      if (route === undefined) {
        throw new CommandError(
          `There is no operation ${operation}.`,
          EXIT.usage,
          `${suggestion(operation)}All operations: campaign api.`,
        );
      }
      session.json ||= args.includes('--json');
      const words = args.filter((word) => word !== '--json');
      if (words.includes('--help') || words.includes('-h')) {
        describeOperation(session, operation, route);
        return;
      }
      await callOperation(
        session,
        operation,
        route,
        await readCall(session, operation, route, words),
      );
    },
  );
}

function suggestion(name: string): string {
  const wanted = name.toLowerCase().replace(/[^a-z]/g, '');
  const found = Object.keys(OPERATIONS).filter((each) => each.toLowerCase().includes(wanted));
  return found.length === 0 ? '' : `Did you mean ${found.slice(0, 3).join(', ')}? `;
}

function listOperations(session: Session): void {
  session.result(
    Object.fromEntries(
      Object.entries(OPERATIONS).map(([name, { method, path, credential, summary }]) => [
        name,
        { method, path, credential, summary },
      ]),
    ),
    () => {
      const all = Object.entries(OPERATIONS);
      return [...new Set(all.map(([, { tag }]) => tag))].toSorted().flatMap((tag) => {
        const members = all.filter(([, route]) => route.tag === tag);
        const rows = members.map(([name, { summary }]) => [name, summary]);
        return [session.paint.bold(tag), ...indented(table(['', ''], rows).slice(1)), ''];
      });
    },
  );
}

function describeOperation(session: Session, name: string, route: OperationRoute): void {
  session.result({ operation: name, ...route }, () => [
    `${session.paint.bold(name)}: ${route.summary}`,
    `${route.method} ${route.path}, ${credentialOf(route)}`,
    '',
    ...table(
      ['Option', 'Type', 'Meaning'],
      Object.entries(route.fields).map(([field, [, types, isRequired, meaning]]) => [
        `--${field}${isRequired ? ' (required)' : ''}`,
        types.replaceAll('|', ' or '),
        meaning,
      ]),
    ),
  ]);
}

function credentialOf({ credential }: OperationRoute): string {
  switch (credential) {
    case 'account_token':
      return 'with CAMPAIGN_TOKEN';
    case 'platform_key':
      return 'with CAMPAIGN_PLATFORM_KEY, or the test key of a company';
    case 'api_key':
      return 'with the API key';
    case null:
      return 'without a credential';
  }
}

async function callOperation(
  session: Session,
  operation: string,
  route: OperationRoute,
  call: Call,
): Promise<void> {
  const values = { ...call.values };
  if (asksForPassword(operation)) {
    values.password ??=
      session.io.env.CAMPAIGN_PASSWORD || (await readSecret(session, 'Password: '));
  }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    delete values[name];
    // Such a part would lead to another path.
    if (/^\.{0,2}$/.test(String(value))) {
      throw new CommandError(`--${name} must not be "${String(value)}".`, EXIT.usage);
    }
    return encodeURIComponent(String(value));
  });
  if (route.isFile) {
    await download(session, operation, route, call);
    return;
  }
  const isBody = route.method !== 'GET';
  const hasFields = Object.keys(values).length > 0 || Object.keys(route.fields).length > 0;
  const { idempotencyKey, ifMatch } = call;
  const options = {
    ...session.call,
    ...(isBody ? hasFields && { body: values } : { query: values }),
    idempotencyKey,
    ifMatch,
    credential: route.credential,
  };
  const data: unknown = await clientOf(session, route).request(route.method, path, options);
  session.io.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
}

function clientOf(session: Session, { credential }: OperationRoute) {
  switch (credential) {
    case 'account_token':
      return session.account();
    case 'platform_key':
      return session.platform();
    case 'api_key':
      return session.client();
    case null:
      return session.anonymous();
  }
}

/** Operations that return a file have methods of the SDK, which notice a cut connection. */
async function download(
  session: Session,
  operation: string,
  { fields }: OperationRoute,
  { values, output, force }: Call,
): Promise<void> {
  refuseExisting(session, output, force);
  const query = Object.fromEntries(
    Object.entries(values).filter(([name]) => fields[name]?.[0] === 'query'),
  );
  const { call } = session;
  const open = (): AsyncIterable<Uint8Array> => {
    switch (operation) {
      case 'exportResponses': {
        const { cohorts, ...rest } = query as { cohorts?: string };
        const list = cohorts === undefined ? {} : { cohorts: cohorts.split(',').map(Number) };
        return session
          .client()
          .responses.export(String(values.post_id), { ...rest, ...(list as object) }, call);
      }
      case 'exportTransfers':
        return session.client().ledger.export(query, call);
      case 'downloadSettlement':
        return session.platform().downloadSettlement(String(values.settlement_id), call);
      default:
        throw new Error(`${operation} returns a file in a way that is not known here`);
    }
  };
  await writeWhole(session, output, open());
}
