import { execFile } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from './databases';

const run = promisify(execFile);

export const SDK_ROOT = join(__dirname, '../../clients/typescript');

/** The types of the SDK's source; the code under test is the installed package. */
export type Sdk = typeof import('../../clients/typescript/src/index');

/** The SDK, packed by npm and installed from the tarball. */
export interface InstalledSdk {
  tarball: string;
  /** Programs here can import the package by its name. */
  directory: string;
  /** The package itself. */
  root: string;
  /** The CommonJS build, loaded into this process. */
  sdk: Sdk;
}

let installed: Promise<InstalledSdk> | undefined;

/** Packs and installs the SDK once per test file. */
export function installedSdk(): Promise<InstalledSdk> {
  installed ??= installSdk();
  return installed;
}

/** Removes the installed package. */
export async function removeInstalledSdk(): Promise<void> {
  const sdk = await installed;
  if (sdk !== undefined) {
    rmSync(sdk.directory, { recursive: true });
  }
}

async function installSdk(): Promise<InstalledSdk> {
  const directory = temporaryDirectory();
  await run('npm', ['pack', '--pack-destination', directory], { cwd: SDK_ROOT });
  const tarball = join(
    directory,
    readdirSync(directory).find((name) => name.endsWith('.tgz'))!,
  );
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: directory,
  });
  const root = join(directory, 'node_modules/campaign-service-client');
  return { tarball, directory, root, sdk: jest.requireActual<Sdk>(root) };
}

/** Runs a program beside the installed package, and returns what it prints. */
export async function runProgram(name: string, program: string): Promise<string> {
  const { directory } = await installedSdk();
  const file = join(directory, name);
  writeFileSync(file, program);
  const { stdout } = await run(process.execPath, [file]);
  return stdout;
}
