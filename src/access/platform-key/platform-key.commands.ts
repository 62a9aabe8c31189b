import { parseArgs } from 'node:util';
import type { OperatorCommand } from '../../platform/operator/operator.types';
import { textTable, toSeconds } from '../../platform/operator/text-table';
import { PlatformKeyService } from './platform-key.service';
import { PLATFORM_SCOPES } from './platform-scopes';

const USAGE = `Usage: npm run platform-key -- <command>

  generate --name <name> [--scopes <scope>,…]  Generates a key and shows it once.
  list                                         Lists all keys, with their last use.
  revoke <key_id>                              Revokes a key within a second.

The scopes are ${PLATFORM_SCOPES.join(', ')}; a key has all by default.
The database is the one that the service would use: DATABASE_URL, or the embedded one.
`;

/** Does its work and returns what to print. */
type Command = (keys: PlatformKeyService) => Promise<string>;

/** @throws Error if the arguments are not valid */
function readCommand([command, ...args]: readonly string[]): Command {
  switch (command) {
    case undefined:
      throw new Error(USAGE.trimEnd());
    case 'generate': {
      const { name, scopes } = parseArgs({
        args,
        options: { name: { type: 'string' }, scopes: { type: 'string' } },
      }).values;
      if (name === undefined) {
        throw new Error('generate needs --name, such as "generate --name app".');
      }
      return (keys) => generate(keys, name, scopes?.split(','));
    }
    case 'list':
      parseArgs({ args });
      return list;
    case 'revoke': {
      const [keyId, ...more] = parseArgs({ args, allowPositionals: true }).positionals;
      if (keyId === undefined || more.length > 0) {
        throw new Error('revoke needs the key_id of one key, which "list" shows.');
      }
      return (keys) => revoke(keys, keyId);
    }
    default:
      throw new Error(`Unknown command "${command}": use generate, list or revoke.`);
  }
}

/** Generates, lists and revokes the keys of platforms. */
export const PLATFORM_KEY_COMMAND: OperatorCommand = {
  name: 'platform-key',
  usage: USAGE,
  opens: 'new',
  read: (args) => {
    const command = readCommand(args);
    return ({ dataSource }) => command(new PlatformKeyService(dataSource.manager));
  },
};

async function generate(
  keys: PlatformKeyService,
  name: string,
  scopes: readonly string[] | undefined,
): Promise<string> {
  const { key, secret } = await keys.generate(name, scopes);
  return (
    'Platform key generated. Store it now; it is not shown again.\n\n' +
    textTable([
      ['key_id', key.keyId],
      ['name', key.name],
      ['scopes', key.scopes.join(',')],
      ['key', secret],
    ])
  );
}

async function list(keys: PlatformKeyService): Promise<string> {
  const all = await keys.list();
  return all.length === 0
    ? 'There are no platform keys.\n'
    : textTable([
        ['KEY_ID', 'NAME', 'PREFIX', 'SCOPES', 'CREATED', 'LAST USED', 'REVOKED'],
        ...all.map(({ keyId, name, prefix, scopes, createdAt, lastUsedAt, revokedAt }) => [
          keyId,
          name,
          prefix,
          scopes.join(','),
          ...[createdAt, lastUsedAt, revokedAt].map(toSeconds),
        ]),
      ]);
}

async function revoke(keys: PlatformKeyService, keyId: string): Promise<string> {
  const { name } = await keys.revoke(keyId);
  return `Platform key ${keyId} (${name}) is revoked. Every process refuses it within a second.\n`;
}
