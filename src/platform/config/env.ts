import { existsSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, IsString, Matches, ValidateIf, validateSync } from 'class-validator';
import { IsDatabaseUrl } from './database-url';
import { BooleanVariable, IntegerVariable, PortsVariable, UrlVariable } from './env.rules';
import { IsOriginList } from './origins';
import { IsStrongSecret } from './strong-secret';
import { IsTrustProxy } from './trust-proxy';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * The service's configuration, one property per environment variable. Only {@link loadEnv} creates
 * it, and only this file reads `process.env`.
 */
export class Env {
  @IsIn(['development', 'test', 'production'], {
    message: 'must be development, test or production',
  })
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  /** Address to listen on. */
  @IsString()
  HOST = '127.0.0.1';

  /** TCP port to listen on; 0 takes any free port. */
  @IntegerVariable(0, 65_535)
  PORT = 3000;

  /** PostgreSQL to use; without it, the embedded database. */
  @IsOptional()
  @IsDatabaseUrl()
  DATABASE_URL?: string;

  /** Maximum number of connections that one process opens to PostgreSQL. */
  @IntegerVariable(1, 1_000)
  DATABASE_POOL_SIZE = 10;

  /** Whether statements are prepared once per connection, which some connection poolers forget. */
  @BooleanVariable()
  DATABASE_PREPARED_STATEMENTS = true;

  /**
   * GiB of the disk of the PostgreSQL server, which no statement can read; without it, the service
   * cannot tell that the disk fills up. That of the embedded database is measured.
   */
  @IsOptional()
  @IntegerVariable(1, 1_000_000, ' of GiB')
  DATABASE_DISK_GIB?: number;

  /** Directory of the embedded database, and of the secrets that it generates. */
  @IsString()
  DATA_DIR = './data';

  /**
   * Secret that signs account tokens. Required in production and with PostgreSQL. Otherwise the
   * service generates one and keeps it in the data directory.
   */
  @ValidateIf((env: Env) => env.JWT_SECRET !== undefined || env.requiresSecrets)
  @IsStrongSecret()
  JWT_SECRET?: string;

  /**
   * Secret that encrypts the secrets of webhooks, and encrypts and hashes what is stored about
   * idempotent requests. It is required, generated and kept like {@link JWT_SECRET}; each can be
   * changed without the other.
   */
  @ValidateIf((env: Env) => env.ENCRYPTION_KEY !== undefined || env.requiresSecrets)
  @IsStrongSecret()
  ENCRYPTION_KEY?: string;

  /**
   * The other key that stored data may have been written with, while {@link ENCRYPTION_KEY} is
   * changed.
   */
  @IsOptional()
  @IsStrongSecret()
  ENCRYPTION_KEY_PREVIOUS?: string;

  /** Lifetime of an account token, in seconds. */
  @IntegerVariable(60, 2_592_000, ' of seconds')
  JWT_TTL = 3600;

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** Whether the log has a line for each probe that succeeds. */
  @BooleanVariable()
  LOG_PROBES = true;

  /** Where clients reach the service; without it, the address of each request. */
  @IsOptional()
  @UrlVariable(
    /^https?:\/\/[^\s/?#@]+(?:\/[\w.~%-]+)*$/,
    'must be an http or https address without a slash at its end, such as https://example.com/campaigns',
  )
  PUBLIC_URL?: string;

  /** Where to report a vulnerability, in `/.well-known/security.txt`; without it, there is none. */
  @IsOptional()
  @UrlVariable(/^(?:mailto:|https:\/\/)[^\s]+$/, 'must be a mailto: or https: address')
  SECURITY_CONTACT?: string;

  /** Origins whose pages may use the service from a browser; none by default. */
  @IsOptional()
  @IsOriginList()
  CORS_ORIGINS?: string;

  /** Proxies whose `X-Forwarded-For` is trusted; none by default. */
  @IsOptional()
  @IsTrustProxy()
  TRUST_PROXY?: string;

  @BooleanVariable()
  RATE_LIMIT_ENABLED = true;

  /** Redis in which instances count together; without it, each instance counts for itself. */
  @IsOptional()
  @UrlVariable(/^rediss?:\/\/./, 'must be a redis:// or rediss:// URL')
  REDIS_URL?: string;

  /** First part of every key in Redis. */
  @Matches(/^[\w.:-]{1,64}$/, { message: 'must be 1 to 64 letters, digits or _ . : -' })
  REDIS_KEY_PREFIX = 'campaign-service';

  /** Requests per minute with one API key, or with the account tokens of one company. */
  @IntegerVariable(1, 1_000_000)
  RATE_LIMIT_PER_KEY = 1_200;

  /** Requests per minute with one platform key, and at least as many from one address. */
  @IntegerVariable(1, 1_000_000)
  RATE_LIMIT_PER_PLATFORM = 60_000;

  /** Requests per minute from one address. */
  @IntegerVariable(1, 1_000_000)
  RATE_LIMIT_PER_ADDRESS = 3_000;

  /** Registrations per hour from one address. */
  @IntegerVariable(1, 1_000_000)
  RATE_LIMIT_REGISTRATIONS = 20;

  /** Logins per minute from one address. */
  @IntegerVariable(1, 1_000_000)
  RATE_LIMIT_LOGINS = 20;

  /** Rejected credentials per minute from one address. */
  @IntegerVariable(1, 1_000_000)
  RATE_LIMIT_BAD_CREDENTIALS = 60;

  /** Whether agents can use the service over the Model Context Protocol, at `/mcp`. */
  @BooleanVariable()
  MCP_ENABLED = true;

  /** Whether webhooks may use plain http and addresses that are not public. */
  @BooleanVariable()
  WEBHOOK_ALLOW_PRIVATE = false;

  /**
   * Ports that webhooks may use, separated by commas; 443 by default, and every port with
   * {@link WEBHOOK_ALLOW_PRIVATE}.
   */
  @IsOptional()
  @PortsVariable(20)
  WEBHOOK_PORTS?: string;

  /** Seconds that a receiver has to respond. */
  @IntegerVariable(1, 60)
  WEBHOOK_TIMEOUT_SECONDS = 15;

  /** Seconds between the attempts of a delivery, separated by commas. */
  @Matches(/^\d{1,6}(,\d{1,6}){0,18}$/, { message: 'must be seconds, separated by commas' })
  WEBHOOK_RETRY_SECONDS = '5,300,1800,7200,18000,36000,50400,72000,86400';

  /** Seconds without a success after which a delivery that fails disables its endpoint. */
  @IntegerVariable(1, 31_536_000)
  WEBHOOK_DISABLE_SECONDS = 432_000;

  /** Open connections of clients; further ones are closed at once. */
  @IntegerVariable(1, 1_000_000)
  MAX_CONNECTIONS = 10_000;

  /** Seconds to keep serving after SIGTERM, while `/health/ready` returns 503; 0 to 300. */
  @IntegerVariable(0, 300)
  DRAIN_SECONDS = 3;

  /** Port of the metrics; 0 takes any free port; without it, no metrics. */
  @IsOptional()
  @IntegerVariable(0, 65_535)
  METRICS_PORT?: number;

  /** Address of the metrics. */
  @IsString()
  METRICS_HOST = '127.0.0.1';

  get requiresSecrets(): boolean {
    return this.NODE_ENV === 'production' || this.DATABASE_URL !== undefined;
  }
}

const VARIABLES = Object.keys(new Env());

/** Variables that a migration does not need. */
const SECRETS: readonly string[] = [
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
] satisfies (keyof Env)[];

/** The configuration is invalid; `message` names every wrong variable, one per line. */
export class InvalidEnvError extends Error {
  override name = 'InvalidEnvError';
}

/**
 * Validates the configuration.
 *
 * @param serving `false` for a migration, which needs no secrets
 * @throws InvalidEnvError naming every wrong variable
 */
export function loadEnv(variables: NodeJS.ProcessEnv, { serving = true } = {}): Env {
  // An empty variable counts as absent.
  const given = Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => VARIABLES.includes(name) && value !== ''),
  );
  const env = plainToInstance(Env, given, { exposeDefaultValues: true });
  const errors = validateSync(env, { stopAtFirstError: true }).filter(
    ({ property }) => serving || !SECRETS.includes(property),
  );
  if (errors.length > 0) {
    const lines = errors.flatMap(({ property, constraints = {} }) =>
      Object.values(constraints).map((message) => `  ${property} ${message}`),
    );
    throw new InvalidEnvError(`The configuration is invalid:\n${lines.join('\n')}`);
  }
  return env;
}

/**
 * Applies {@link loadEnv} to this process's environment and a `.env` file; the environment wins.
 */
export function readEnvironment(options: { serving?: boolean } = {}): Env {
  for (const name of VARIABLES.filter((each) => process.env[each] === '')) {
    // The file's value counts only where there is none, not even an empty one.
    Reflect.deleteProperty(process.env, name);
  }
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
  }
  return loadEnv(process.env, options);
}
