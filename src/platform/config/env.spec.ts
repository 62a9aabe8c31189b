import { InvalidEnvError, loadEnv } from './env';

const SECRET = 'a secret for tests only, 0123456789';
const SECRETS = { JWT_SECRET: SECRET, ENCRYPTION_KEY: SECRET };
const DATABASE_URL = 'postgresql://user@localhost/campaigns';

/** The lines of the error message, one per wrong variable. */
function mistakes(variables: NodeJS.ProcessEnv): string[] {
  try {
    loadEnv(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvError);
    const [title, ...lines] = (error as Error).message.split('\n');
    expect(title).toBe('The configuration is invalid:');
    return lines.map((line) => line.trim());
  }
  return [];
}

/** The variables that the error message names. */
const wrong = (variables: NodeJS.ProcessEnv) =>
  mistakes(variables).map((line) => line.slice(0, line.indexOf(' ')));

describe('the configuration', () => {
  it('has a default for every variable but the database and the secrets', () => {
    expect({ ...loadEnv({}) }).toEqual({
      NODE_ENV: 'development',
      MAX_CONNECTIONS: 10_000,
      DRAIN_SECONDS: 3,
      HOST: '127.0.0.1',
      PORT: 3000,
      DATA_DIR: './data',
      DATABASE_URL: undefined,
      DATABASE_POOL_SIZE: 10,
      DATABASE_PREPARED_STATEMENTS: true,
      JWT_SECRET: undefined,
      ENCRYPTION_KEY: undefined,
      ENCRYPTION_KEY_PREVIOUS: undefined,
      JWT_TTL: 3600,
      LOG_LEVEL: 'info',
      LOG_PROBES: true,
      MCP_ENABLED: true,
      SECURITY_CONTACT: undefined,
      CORS_ORIGINS: undefined,
      TRUST_PROXY: undefined,
      RATE_LIMIT_ENABLED: true,
      REDIS_URL: undefined,
      REDIS_KEY_PREFIX: 'campaign-service',
      RATE_LIMIT_PER_KEY: 1200,
      RATE_LIMIT_PER_PLATFORM: 60_000,
      RATE_LIMIT_PER_ADDRESS: 3000,
      RATE_LIMIT_REGISTRATIONS: 20,
      RATE_LIMIT_LOGINS: 20,
      RATE_LIMIT_BAD_CREDENTIALS: 60,
      METRICS_PORT: undefined,
      METRICS_HOST: '127.0.0.1',
      WEBHOOK_ALLOW_PRIVATE: false,
      WEBHOOK_PORTS: undefined,
      WEBHOOK_TIMEOUT_SECONDS: 15,
      WEBHOOK_RETRY_SECONDS: '5,300,1800,7200,18000,36000,50400,72000,86400',
      WEBHOOK_DISABLE_SECONDS: 432_000,
    });
  });

  it('uses the default for an empty variable', () => {
    const empty = Object.fromEntries(Object.keys(loadEnv({})).map((name) => [name, '']));
    expect(loadEnv(empty)).toEqual(loadEnv({}));
  });

  it('takes the values of the variables', () => {
    const variables = {
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/campaigns',
      DATABASE_URL,
      JWT_SECRET: SECRET,
      ENCRYPTION_KEY: SECRET,
      ENCRYPTION_KEY_PREVIOUS: SECRET,
      LOG_LEVEL: 'debug',
    };
    expect(loadEnv({ ...variables, PORT: '0', JWT_TTL: '60' })).toMatchObject({
      ...variables,
      PORT: 0,
      JWT_TTL: 60,
    });
  });

  it('ignores variables that it does not define', () => {
    expect(loadEnv({ PATH: '/bin', requiresJwtSecret: 'no' })).not.toHaveProperty('PATH');
  });
});

describe('loading an invalid configuration', () => {
  it('reports every mistake at once, with the name of the variable', () => {
    expect(
      mistakes({
        NODE_ENV: 'prod',
        PORT: '65536',
        DATABASE_URL: 'mysql://localhost/campaigns',
        JWT_SECRET: 'short',
        ENCRYPTION_KEY: 'short',
        ENCRYPTION_KEY_PREVIOUS: 'short',
        JWT_TTL: '1h',
        LOG_LEVEL: 'loud',
      }),
    ).toEqual([
      'NODE_ENV must be development, test or production',
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be a postgres:// or postgresql:// URL',
      expect.stringMatching(/^JWT_SECRET must be set to at least 32 random characters/),
      expect.stringMatching(/^ENCRYPTION_KEY must be set to at least 32 random characters/),
      expect.stringMatching(
        /^ENCRYPTION_KEY_PREVIOUS must be set to at least 32 random characters/,
      ),
      'JWT_TTL must be a whole number of seconds from 60 to 2592000',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it('reports neither secrets nor passwords', () => {
    const said = mistakes({
      JWT_SECRET: 'hunter2',
      ENCRYPTION_KEY: 'hunter4',
      DATABASE_URL: 'mysql://u:hunter3@h/d',
    }).join();
    expect(said).toMatch(/JWT_SECRET.*ENCRYPTION_KEY/);
    expect(said).not.toMatch(/hunter/);
  });

  it.each(['-1', '1.5', '0x10', '1e3', ' 80', '80a', '65536', '9'.repeat(400)])(
    'refuses PORT %.10j',
    (PORT) => {
      expect(wrong({ PORT })).toEqual(['PORT']);
    },
  );

  it.each(['59', '2592001', '-60', '3600s'])('refuses JWT_TTL %j', (JWT_TTL) => {
    expect(wrong({ JWT_TTL })).toEqual(['JWT_TTL']);
  });

  it.each(['0', '1000001', '-1', '10/m'])('refuses RATE_LIMIT_PER_KEY %j', (RATE_LIMIT_PER_KEY) => {
    expect(wrong({ RATE_LIMIT_PER_KEY })).toEqual(['RATE_LIMIT_PER_KEY']);
  });

  it.each(['0', '1001', 'many'])('refuses DATABASE_POOL_SIZE %j', (DATABASE_POOL_SIZE) => {
    expect(wrong({ DATABASE_POOL_SIZE })).toEqual(['DATABASE_POOL_SIZE']);
  });

  it.each(['yes', '1', 'TRUE', 'off'])('refuses RATE_LIMIT_ENABLED %j', (RATE_LIMIT_ENABLED) => {
    expect(wrong({ RATE_LIMIT_ENABLED })).toEqual(['RATE_LIMIT_ENABLED']);
  });

  it.each([
    'app.example.com',
    'https://a.example/',
    'https://a.example/x',
    'null',
    '*,https://a.example',
    'https://a.example,',
  ])('refuses CORS_ORIGINS %j', (CORS_ORIGINS) => {
    expect(wrong({ CORS_ORIGINS })).toEqual(['CORS_ORIGINS']);
  });

  it.each(['0', '1', '11', 'true', '*', '10.0.0.0/33', '10.0.0.1,', '10.0.0', 'proxy.example.com'])(
    'refuses TRUST_PROXY %j',
    (TRUST_PROXY) => {
      expect(wrong({ TRUST_PROXY })).toEqual(['TRUST_PROXY']);
    },
  );

  it.each([
    { PUBLIC_URL: 'https://[' },
    { PUBLIC_URL: 'https://a:99999' },
    { PUBLIC_URL: 'https://a.example/' },
    { PUBLIC_URL: 'https://a.example/campaigns/' },
    { PUBLIC_URL: 'https://a.example/campaigns?a' },
    { REDIS_URL: 'redis://127.0.0.1:99999999/x' },
    { DATABASE_URL: 'postgres://localhost:99999/db', ...SECRETS },
    { WEBHOOK_PORTS: '0' },
    { WEBHOOK_PORTS: '443,70000' },
    { WEBHOOK_PORTS: '443,' },
  ])('refuses the addresses and ports %j', (variables) => {
    expect(wrong(variables)).toEqual(Object.keys(variables).slice(0, 1));
  });

  it('accepts addresses and ports up to the last one', () => {
    const variables = {
      PUBLIC_URL: 'https://[::1]:65535',
      REDIS_URL: 'redis://127.0.0.1:65535/1',
      WEBHOOK_PORTS: '1,65535',
    };
    expect(loadEnv(variables)).toMatchObject(variables);
  });

  it('accepts a public address with a path', () => {
    const PUBLIC_URL = 'https://a.example/tools/campaigns-2';
    expect(loadEnv({ PUBLIC_URL })).toMatchObject({ PUBLIC_URL });
  });

  it.each(['localhost', 'postgres://', 'http://localhost/db', ' postgres://localhost/db'])(
    'refuses DATABASE_URL %j',
    (url) => {
      expect(wrong({ ...SECRETS, DATABASE_URL: url })).toEqual(['DATABASE_URL']);
    },
  );
});

describe('DATABASE_URL', () => {
  it.each([
    'postgres://one:5432,two:5433/db',
    'postgres://u:p@one,two/db?target_session_attrs=read-write',
    'postgres:///db?host=one,two',
    'postgres://u@/db?host=one%2Ctwo',
  ])('with several hosts is refused for that reason: %s', (url) => {
    expect(mistakes({ ...SECRETS, DATABASE_URL: url })).toEqual([
      expect.stringMatching(/^DATABASE_URL names several hosts.*: name one address/),
    ]);
  });

  it.each(['postgres://u:p#w@host/db', 'postgres://u:p/w@host/db', 'postgres://host:99999/db'])(
    'that cannot be parsed is refused for that reason: %s',
    (url) => {
      expect(mistakes({ ...SECRETS, DATABASE_URL: url })).toEqual([
        expect.stringMatching(/^DATABASE_URL is not a valid URL: percent-encode/),
      ]);
    },
  );

  it.each([
    'postgres:///db?host=/run/postgresql',
    'postgres://u@/db?host=/run/postgresql',
    'postgres://u:p@/db?host=/run/postgresql&port=5433',
    'postgres://u@%2Frun%2Fpostgresql/db',
    'postgres://u:a%2Cb@host/db',
    'postgres://[::1]:5432/db',
  ])('is accepted: %s', (url) => {
    expect(loadEnv({ ...SECRETS, DATABASE_URL: url })).toMatchObject({ DATABASE_URL: url });
  });
});

describe('a secret', () => {
  it('is required in production and with PostgreSQL', () => {
    const both = ['JWT_SECRET', 'ENCRYPTION_KEY'];
    expect(wrong({ NODE_ENV: 'production' })).toEqual(both);
    expect(wrong({ NODE_ENV: 'production', JWT_SECRET: '', ENCRYPTION_KEY: '' })).toEqual(both);
    expect(wrong({ DATABASE_URL })).toEqual(both);
    expect(wrong({ DATABASE_URL, JWT_SECRET: SECRET })).toEqual(['ENCRYPTION_KEY']);
    expect(wrong({ DATABASE_URL, ENCRYPTION_KEY: SECRET })).toEqual(['JWT_SECRET']);
    expect(wrong({ DATABASE_URL, ...SECRETS })).toEqual([]);
    expect(wrong({})).toEqual([]);
  });

  it('is not required for a migration, which neither issues tokens nor encrypts', () => {
    const migration = { serving: false };
    expect(loadEnv({ NODE_ENV: 'production', DATABASE_URL }, migration)).toBeDefined();
    expect(() => loadEnv({ DATABASE_URL, PORT: 'x' }, migration)).toThrow(/PORT/);
  });

  describe.each(['JWT_SECRET', 'ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS'])('%s', (name) => {
    it.each([
      ['short', 'abcdefghijklmnopqrstuvwxyz01234'],
      ['one character', 'x'.repeat(64)],
      ['blank', ' '.repeat(64)],
      ['a repeated word', 'change-me-'.repeat(6)],
      ['few characters', '123456789'.repeat(4)],
    ])('is refused if it is weak, required or not: %s', (_, weak) => {
      expect(wrong({ [name]: weak })).toEqual([name]);
      expect(wrong({ ...SECRETS, [name]: weak, NODE_ENV: 'production' })).toEqual([name]);
    });

    it('is accepted from 32 random characters on', () => {
      const strong = 'abcdefghijklmnopqrstuvwxyz012345';
      expect(wrong({ ...SECRETS, [name]: strong, DATABASE_URL })).toEqual([]);
    });
  });
});
