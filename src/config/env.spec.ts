import { InvalidEnvError, loadEnv } from './env';

const SECRET = 'a secret for tests only, 0123456789';
const DATABASE_URL = 'postgresql://user@localhost/campaigns';

/** The lines of a refusal, a line for each wrong variable. */
function mistakes(variables: NodeJS.ProcessEnv): string[] {
  try {
    loadEnv(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvError);
    const [title, ...lines] = (error as Error).message.split('\n');
    expect(title).toBe('The configuration is wrong:');
    return lines.map((line) => line.trim());
  }
  return [];
}

/** The variables that a refusal names. */
const wrong = (variables: NodeJS.ProcessEnv) =>
  mistakes(variables).map((line) => line.slice(0, line.indexOf(' ')));

describe('the configuration', () => {
  it('has a default for every variable but the database and the secret', () => {
    expect({ ...loadEnv({}) }).toEqual({
      NODE_ENV: 'development',
      DRAIN_SECONDS: 3,
      HOST: '127.0.0.1',
      PORT: 3000,
      DATA_DIR: './data',
      DATABASE_URL: undefined,
      JWT_SECRET: undefined,
      JWT_TTL: 3600,
      LOG_LEVEL: 'info',
      CORS_ORIGINS: undefined,
      TRUST_PROXY: undefined,
      RATE_LIMIT_ENABLED: true,
      REDIS_URL: undefined,
      REDIS_KEY_PREFIX: 'campaign-service',
      RATE_LIMIT_PER_KEY: 1200,
      RATE_LIMIT_PER_ADDRESS: 3000,
      RATE_LIMIT_REGISTRATIONS: 20,
      RATE_LIMIT_LOGINS: 20,
      RATE_LIMIT_BAD_CREDENTIALS: 60,
      METRICS_PORT: undefined,
      METRICS_HOST: '127.0.0.1',
    });
  });

  it('has the default for an empty variable', () => {
    const empty = Object.fromEntries(Object.keys(loadEnv({})).map((name) => [name, '']));
    expect(loadEnv(empty)).toEqual(loadEnv({}));
  });

  it('is what the variables say', () => {
    const variables = {
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/campaigns',
      DATABASE_URL,
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'debug',
    };
    expect(loadEnv({ ...variables, PORT: '0', JWT_TTL: '60' })).toMatchObject({
      ...variables,
      PORT: 0,
      JWT_TTL: 60,
    });
  });

  it('leaves out every variable of others', () => {
    expect(loadEnv({ PATH: '/bin', requiresJwtSecret: 'no' })).not.toHaveProperty('PATH');
  });
});

describe('a wrong configuration', () => {
  it('has every mistake reported at once, with the name of the variable', () => {
    expect(
      mistakes({
        NODE_ENV: 'prod',
        PORT: '65536',
        DATABASE_URL: 'mysql://localhost/campaigns',
        JWT_SECRET: 'short',
        JWT_TTL: '1h',
        LOG_LEVEL: 'loud',
      }),
    ).toEqual([
      'NODE_ENV must be development, test or production',
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be a postgres:// or postgresql:// URL',
      expect.stringMatching(/^JWT_SECRET must be set to at least 32 random characters/),
      'JWT_TTL must be a whole number of seconds from 60 to 2592000 (30 days)',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it('never has a secret or a password in what is reported', () => {
    const said = mistakes({ JWT_SECRET: 'hunter2', DATABASE_URL: 'mysql://u:hunter3@h/d' }).join();
    expect(said).toContain('JWT_SECRET');
    expect(said).not.toMatch(/hunter/);
  });

  it.each(['-1', '1.5', '0x10', '1e3', ' 80', '80a', '65536', '9'.repeat(400)])(
    'has a port of %.10j',
    (PORT) => {
      expect(wrong({ PORT })).toEqual(['PORT']);
    },
  );

  it.each(['59', '2592001', '-60', '3600s'])('has a token lifetime of %j seconds', (JWT_TTL) => {
    expect(wrong({ JWT_TTL })).toEqual(['JWT_TTL']);
  });

  it.each(['0', '1000001', '-1', '10/m'])('has a rate limit of %j', (RATE_LIMIT_PER_KEY) => {
    expect(wrong({ RATE_LIMIT_PER_KEY })).toEqual(['RATE_LIMIT_PER_KEY']);
  });

  it.each(['yes', '1', 'TRUE', 'off'])('has a switch of %j', (RATE_LIMIT_ENABLED) => {
    expect(wrong({ RATE_LIMIT_ENABLED })).toEqual(['RATE_LIMIT_ENABLED']);
  });

  it.each([
    'app.example.com',
    'https://a.example/',
    'https://a.example/x',
    'null',
    '*,https://a.example',
    'https://a.example,',
  ])('has origins of %j', (CORS_ORIGINS) => {
    expect(wrong({ CORS_ORIGINS })).toEqual(['CORS_ORIGINS']);
  });

  it.each(['0', '11', 'true', '*', '10.0.0.0/33', '10.0.0.1,', '10.0.0', 'proxy.example.com'])(
    'trusts a proxy of %j',
    (TRUST_PROXY) => {
      expect(wrong({ TRUST_PROXY })).toEqual(['TRUST_PROXY']);
    },
  );

  it.each(['localhost', 'postgres://', 'http://localhost/db', ' postgres://localhost/db'])(
    'has a database of %j',
    (url) => {
      expect(wrong({ DATABASE_URL: url, JWT_SECRET: SECRET })).toEqual(['DATABASE_URL']);
    },
  );
});

describe('the secret of account tokens', () => {
  it('is required in production and with PostgreSQL', () => {
    expect(wrong({ NODE_ENV: 'production' })).toEqual(['JWT_SECRET']);
    expect(wrong({ NODE_ENV: 'production', JWT_SECRET: '' })).toEqual(['JWT_SECRET']);
    expect(wrong({ DATABASE_URL })).toEqual(['JWT_SECRET']);
    expect(wrong({})).toEqual([]);
  });

  it('is not required for a migration, which issues no tokens', () => {
    const migration = { serving: false };
    expect(loadEnv({ NODE_ENV: 'production', DATABASE_URL }, migration)).toBeDefined();
    expect(() => loadEnv({ DATABASE_URL, PORT: 'x' }, migration)).toThrow(/PORT/);
  });

  it.each([
    ['short', 'abcdefghijklmnopqrstuvwxyz01234'],
    ['one character', 'x'.repeat(64)],
    ['blank', ' '.repeat(64)],
    ['a repeated word', 'change-me-'.repeat(6)],
    ['few characters', '123456789'.repeat(4)],
  ])('is refused where it is weak, required or not: %s', (_, JWT_SECRET) => {
    expect(wrong({ JWT_SECRET })).toEqual(['JWT_SECRET']);
    expect(wrong({ JWT_SECRET, NODE_ENV: 'production' })).toEqual(['JWT_SECRET']);
  });

  it('is taken from 32 random characters on', () => {
    expect(wrong({ JWT_SECRET: 'abcdefghijklmnopqrstuvwxyz012345', DATABASE_URL })).toEqual([]);
  });
});
