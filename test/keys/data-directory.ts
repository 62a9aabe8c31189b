import { entities } from '../../src/app.module';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidEnvError } from '../../src/platform/config/env';
import { createDataSource } from '../../src/platform/database/data-source';
import { lockDirectory } from '../../src/platform/database/directory-lock';
import { openDatabase } from '../../src/platform/database/open-database';
import { createTestDatabase, temporaryDirectory } from '../support/databases';
import { onEmbedded } from '../support/engines';
import { testEnv } from '../support/env';

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Returns everything in a directory that the group or others can access, with its mode. */
function openToOthers(directory: string): string[] {
  return [directory, ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
    .map((name) => (name === directory ? name : join(directory, name)))
    .filter((path) => (modeOf(path) & 0o077) !== 0)
    .map((path) => `${path} ${modeOf(path).toString(8)}`);
}

onEmbedded('the data directory (embedded database only)', () => {
  let directory: string;
  let umask: number;

  beforeEach(() => {
    directory = temporaryDirectory();
    umask = process.umask(0);
  });

  afterEach(async () => {
    process.umask(umask);
    await rm(directory, { recursive: true });
  });

  const open = (dataDir = directory) => openDatabase(testEnv({ DATA_DIR: dataDir }), entities);

  it('is open to its owner only, like everything in it, when the service creates it', async () => {
    const dataDir = join(directory, 'new');
    const database = await open(dataDir);
    expect(openToOthers(dataDir)).toEqual([]);
    await database.destroy();
    expect(openToOthers(dataDir)).toEqual([]);
  });

  it('is closed to others if it existed before with wider modes', () => {
    chmodSync(directory, 0o755);
    writeFileSync(join(directory, 'lock'), '', { mode: 0o666 });
    lockDirectory(directory)();
    expect(openToOthers(directory)).toEqual([]);
  });

  it('is closed to others with everything in it if an earlier version left it open', async () => {
    const template = await createTestDatabase();
    const { DATA_DIR } = template.variables as { DATA_DIR: string };
    execFileSync('chmod', ['-R', 'u=rwX,go=rwX', DATA_DIR]);
    const database = await open(DATA_DIR);
    expect(openToOthers(DATA_DIR)).toEqual([]);
    // In a directory of mode 700, others cannot reach what the database creates later.
    await database.query('CREATE TABLE later AS SELECT generate_series(1, 100000) AS number');
    await database.query('CHECKPOINT');
    expect(modeOf(DATA_DIR)).toBe(0o700);
    await database.destroy();
    expect(openToOthers(DATA_DIR)).toEqual([]);
    await template.drop();
  });

  it('does not follow links out of the directory', () => {
    const elsewhere = join(directory, 'elsewhere');
    writeFileSync(elsewhere, '', { mode: 0o644 });
    const dataDir = join(directory, 'data');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    symlinkSync(elsewhere, join(dataDir, 'postgres', 'link'));
    lockDirectory(dataDir)();
    expect(modeOf(elsewhere)).toBe(0o644);
  });

  it('is refused if it is open to others and holds other files', () => {
    chmodSync(directory, 0o755);
    writeFileSync(join(directory, 'index.html'), '', { mode: 0o644 });
    const env = testEnv({ DATA_DIR: directory });
    expect(() => createDataSource(env)).toThrow(InvalidEnvError);
    expect(() => createDataSource(env)).toThrow(
      `Other users of this machine have access to the data directory ${directory} (its mode is 755), ` +
        'which also holds files that are not of this service (index.html). ' +
        `Run "chmod 700 ${directory}", or set DATA_DIR to a directory inside it.`,
    );
    expect(modeOf(directory)).toBe(0o755);
    expect(existsSync(join(directory, 'lock'))).toBe(false);
    chmodSync(directory, 0o700);
    lockDirectory(directory)();
  });
});

onEmbedded('the data directory of another user (embedded database only, needs root)', () => {
  const asRoot = process.getuid?.() === 0 ? it : it.skip;

  asRoot('is refused if it is open to others, as its mode cannot be changed', () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o777);
    chownSync(directory, 0, 0);
    process.setegid!(65_534);
    process.seteuid!(65_534);
    try {
      expect(() => lockDirectory(directory)).toThrow(
        `Other users of this machine have access to the data directory ${directory} (its mode is 777), ` +
          'and it belongs to another user. Set DATA_DIR to a directory inside it.',
      );
    } finally {
      process.seteuid!(0);
      process.setegid!(0);
    }
  });
});
