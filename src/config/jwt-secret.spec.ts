import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Env, InvalidEnvError, loadEnv } from './env';
import { jwtSecret } from './jwt-secret';

describe('the secret of account tokens on the embedded database', () => {
  let env: Env;
  let file: string;

  beforeEach(() => {
    const directory = mkdtempSync(join(tmpdir(), 'campaign-service-'));
    env = loadEnv({ DATA_DIR: directory });
    file = join(directory, 'jwt-secret');
  });

  afterEach(() => rmSync(env.DATA_DIR, { recursive: true }));

  it('is made at the first start, of 48 random bytes, for its owner only', () => {
    const umask = process.umask(0);
    try {
      expect(jwtSecret(env)).toMatch(/^[\w-]{64}$/);
    } finally {
      process.umask(umask);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is kept for every later start', () => {
    const secret = jwtSecret(env);
    expect(jwtSecret(env)).toBe(secret);
    expect(readFileSync(file, 'utf8')).toBe(secret);
  });

  it('is another one in another directory', () => {
    const secret = jwtSecret(env);
    rmSync(file);
    expect(jwtSecret(env)).not.toBe(secret);
  });

  it('is the one that is given, and then none is made', () => {
    const given = loadEnv({
      DATA_DIR: env.DATA_DIR,
      JWT_SECRET: 'a secret for tests only, 0123456789',
    });
    expect(jwtSecret(given)).toBe(given.JWT_SECRET);
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });

  it.each([
    ['empty', ''],
    ['cut short', 'q7Yw2rT5'],
    ['blank', '\n'.repeat(64)],
    ['zeros, as a power failure can leave it', '\0'.repeat(64)],
  ])('stops the start where its file is damaged, and the file is left alone: %s', (_, content) => {
    writeFileSync(file, content);
    expect(() => jwtSecret(env)).toThrow(InvalidEnvError);
    expect(() => jwtSecret(env)).toThrow(/jwt-secret is damaged\. Delete it/);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('stops the start where it cannot be kept', () => {
    const nowhere = loadEnv({ DATA_DIR: join(env.DATA_DIR, 'missing') });
    expect(() => jwtSecret(nowhere)).toThrow(/ENOENT/);
  });
});
