import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/databases';
import { startService, TestService } from '../support/service';
import { COMPILER_OPTIONS, JOURNEY } from './generator';
import { HEY_API } from './hey-api';
import { NG_OPENAPI_GEN } from './ng-openapi-gen';
import { OAZAPFTS } from './oazapfts';
import { ORVAL } from './orval';
import { SWAGGER_TYPESCRIPT_API } from './swagger-typescript-api';

const root = join(__dirname, '../..');
const scratch = temporaryDirectory();

/** The packages of this folder come first, then the service's. */
const packages = [__dirname, root].map((folder) => join(folder, 'node_modules'));
/** The Node that this folder's package brings for the platform it is installed on. */
const newerNode = join(__dirname, 'node_modules/.bin/node');

/** What every program prints. */
const PRINTED = {
  post_id: expect.stringMatching(/^post_/),
  options: ['None', 'More'],
  reward: 55.5,
  is_live: true,
  titles: ['A survey'],
  code: 'api_key_missing',
};

/** Runs a command and returns its output; a failure throws it. */
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

/** Installs the packages of this folder, unless they are up to date. */
async function install(): Promise<void> {
  const installed = join(__dirname, 'node_modules/.package-lock.json');
  const lock = join(__dirname, 'package-lock.json');
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
    await run(__dirname, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  }
}

function fileOfPackage(file: string): string {
  const found = packages.map((folder) => join(folder, file)).find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(`${file} is not installed`);
  }
  return found;
}

describe('a client that another generator makes of openapi.json', () => {
  let service: TestService;

  beforeAll(async () => {
    [service] = await Promise.all([startService(), install()]);
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  }, 300_000);

  afterAll(async () => {
    await service.close();
    rmSync(scratch, { recursive: true });
  });

  it.each([SWAGGER_TYPESCRIPT_API, OAZAPFTS, HEY_API, ORVAL, NG_OPENAPI_GEN])(
    'compiles strictly and runs a campaign ($name)',
    async ({ name, command: [file, ...args], newerNode: newer, config = {}, ...generator }) => {
      const folder = join(scratch, name);
      const compilerOptions = { ...COMPILER_OPTIONS, ...generator.compilerOptions };
      const type = compilerOptions.module === 'commonjs' ? 'commonjs' : 'module';
      mkdirSync(folder);
      symlinkSync(join(__dirname, 'node_modules'), join(folder, 'node_modules'));
      copyFileSync(join(root, 'openapi.json'), join(folder, 'openapi.json'));
      const files = {
        'config.json': JSON.stringify(config),
        'package.json': JSON.stringify({ type }),
        'tsconfig.json': JSON.stringify({ compilerOptions, files: ['program.ts'] }),
        'journey.ts': JOURNEY,
        'program.ts': generator.program,
      };
      for (const [written, content] of Object.entries(files)) {
        writeFileSync(join(folder, written), content);
      }

      await run(folder, newer ? newerNode : process.execPath, fileOfPackage(file), ...args);
      await run(folder, process.execPath, fileOfPackage('typescript-7/bin/tsc'));
      const given = [service.client.url, `${name}@example.com`];
      const printed = await run(folder, process.execPath, 'out/program.js', ...given);
      expect(JSON.parse(printed)).toEqual(PRINTED);
    },
  );
});
