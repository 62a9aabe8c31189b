import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deriveKeys } from './encryption-key';
import { Env, InvalidEnvError, loadEnv } from './env';
import { jwtSecret } from './jwt-secret';

const GIVEN = 'a secret for tests only, 0123456789';

const keyText = (env: Env) => deriveKeys(env, 'tests')[0].toString('hex');

describe.each([
  {
    name: 'account tokens',
    file: 'jwt-secret',
    variable: 'JWT_SECRET',
    read: jwtSecret,
    ifDamaged: 'Delete it to have a new one generated; account tokens',
  },
  {
    name: 'stored data',
    file: 'encryption-key',
    variable: 'ENCRYPTION_KEY',
    read: keyText,
    ifDamaged: 'Restore it from a copy of the data directory. Without it, nobody can take part',
  },
])('the secret of $name on the embedded database', ({ file: name, variable, read, ifDamaged }) => {
  let env: Env;
  let file: string;

  beforeEach(() => {
    const directory = mkdtempSync(join(tmpdir(), 'campaign-service-'));
    env = loadEnv({ DATA_DIR: directory });
    file = join(directory, name);
  });

  afterEach(() => rmSync(env.DATA_DIR, { recursive: true }));

  it('is generated at the first start, from 48 random bytes, for its owner only', () => {
    const umask = process.umask(0);
    try {
      read(env);
    } finally {
      process.umask(umask);
    }
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{64}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is kept for every later start', () => {
    const secret = read(env);
    const content = readFileSync(file, 'utf8');
    expect(read(env)).toBe(secret);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('is the same if an editor has ended its file with a line feed', () => {
    const secret = read(env);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
    expect(read(env)).toBe(secret);
  });

  it('differs from directory to directory', () => {
    const secret = read(env);
    rmSync(file);
    expect(read(env)).not.toBe(secret);
  });

  it('is taken from the environment if it is set there, and no file is written', () => {
    const given = loadEnv({ DATA_DIR: env.DATA_DIR, [variable]: GIVEN });
    expect(read(given)).toBe(read(given));
    expect(read(given)).not.toBe(read(loadEnv({ [variable]: `${GIVEN}!` })));
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });

  it.each([
    ['empty', ''],
    ['cut short', 'q7Yw2rT5'],
    ['blank', '\n'.repeat(64)],
    ['zeros, as a power failure can leave it', '\0'.repeat(64)],
  ])('stops the start if its file is damaged, and leaves the file alone: %s', (_, content) => {
    writeFileSync(file, content, { mode: 0o600 });
    expect(() => read(env)).toThrow(InvalidEnvError);
    expect(() => read(env)).toThrow(`${file} is damaged. ${ifDamaged}`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it.each([0o640, 0o604, 0o644, 0o620, 0o666, 0o610])(
    'stops the start if other users have access to its file: mode %o',
    (mode) => {
      read(env);
      const secret = readFileSync(file, 'utf8');
      chmodSync(file, mode);
      expect(() => read(env)).toThrow(InvalidEnvError);
      expect(() => read(env)).toThrow(
        `Other users of this machine have access to ${file} (its mode is ${mode.toString(8)}). ` +
          `Run "chmod 600 ${file}". If one of them can have read it, then change the secret`,
      );
      expect(() => read(env)).not.toThrow(/delete/i);
      expect(() => read(env)).not.toThrow(secret);
      expect(statSync(file).mode & 0o777).toBe(mode);
      chmodSync(file, 0o600);
      read(env);
    },
  );

  it('accepts a file that its owner can only read', () => {
    const secret = read(env);
    chmodSync(file, 0o400);
    expect(read(env)).toBe(secret);
  });

  it('stops the start if it cannot be kept', () => {
    const nowhere = loadEnv({ DATA_DIR: join(env.DATA_DIR, 'missing') });
    expect(() => read(nowhere)).toThrow(/ENOENT/);
  });
});

describe('derived keys', () => {
  const env = loadEnv({ ENCRYPTION_KEY: GIVEN });

  it('have 256 bits and reveal nothing of the encryption key', () => {
    const [key] = deriveKeys(env, 'tests');
    expect(key).toHaveLength(32);
    expect(key.toString('latin1')).not.toContain(GIVEN.slice(0, 4));
  });

  it('differ from purpose to purpose', () => {
    expect(deriveKeys(env, 'tests')).toEqual(deriveKeys(env, 'tests'));
    expect(deriveKeys(env, 'tests')).not.toEqual(deriveKeys(env, 'other tests'));
  });

  it('do not depend on the secret of account tokens', () => {
    const rotated = loadEnv({
      ENCRYPTION_KEY: GIVEN,
      JWT_SECRET: 'another secret, 0123456789 abcdef',
    });
    expect(deriveKeys(rotated, 'tests')).toEqual(deriveKeys(env, 'tests'));
  });

  it('include those of the previous encryption key, after the current ones', () => {
    const next = loadEnv({ ENCRYPTION_KEY: `${GIVEN}!`, ENCRYPTION_KEY_PREVIOUS: GIVEN });
    const [current, previous] = deriveKeys(next, 'tests');
    expect([previous]).toEqual(deriveKeys(env, 'tests'));
    expect(current).not.toEqual(previous);
  });
});
