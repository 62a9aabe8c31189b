import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/databases';
import { startService, TestService } from '../support/service';
import { OAZAPFTS, SWAGGER_TYPESCRIPT_API } from './programs';

const root = join(__dirname, '../..');
const scratch = temporaryDirectory();

/** How the clients are compiled; everything that `strict` leaves open is closed too. */
const COMPILER = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom'],
    types: [],
    outDir: 'out',
  },
  files: ['program.ts'],
};

/** A generator with its arguments that make `client.ts` of the document, and a program that uses it. */
const GENERATORS = [
  {
    name: 'swagger-typescript-api',
    generate: (document: string, folder: string) => [
      'swagger-typescript-api/dist/cli.mjs',
      ...['generate', '--silent', '--path', document, '--output', folder, '--name', 'client.ts'],
      // Its own enums are not assignable to the codes that an operation narrows them to.
      '--enum-style=union',
    ],
    program: SWAGGER_TYPESCRIPT_API,
  },
  {
    name: 'oazapfts',
    generate: (document: string, folder: string) => [
      'oazapfts/dist/cli.js',
      ...[document, join(folder, 'client.ts')],
    ],
    program: OAZAPFTS,
  },
];

/** Runs a file with Node and answers what it wrote; what fails says why. */
async function run(file: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

const runPackage = ([file, ...args]: string[]) =>
  run(join(root, 'node_modules', file ?? ''), ...args);

describe('A client that others generate from openapi.json', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  });

  afterAll(async () => {
    await service.close();
    rmSync(scratch, { recursive: true });
  });

  it.each(GENERATORS)(
    'compiles strictly and creates a survey ($name)',
    async ({ name, generate, program }) => {
      const folder = join(scratch, name);
      mkdirSync(folder);
      await runPackage(generate(join(root, 'openapi.json'), folder));
      writeFileSync(join(folder, 'program.ts'), program);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
      await runPackage(['typescript/bin/tsc', '--project', folder]);

      const email = `${name}@example.com`;
      const printed = await run(join(folder, 'out/program.js'), service.client.url, email);
      expect(JSON.parse(printed)).toEqual({
        post_id: expect.stringMatching(/^post_/),
        is_live: false,
        code: 'api_key_missing',
      });
    },
  );
});
