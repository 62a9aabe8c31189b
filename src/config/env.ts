import { existsSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { ToBoolean, ToInteger, WholeNumber } from './env.rules';
import { IsOriginList } from './origins';
import { IsTrustProxy } from './trust-proxy';

/** The shortest account-token secret that is accepted, in characters. */
const JWT_SECRET_MIN_LENGTH = 32;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Random text of the accepted length has far more; a repeated or patterned word has fewer. */
const JWT_SECRET_MIN_DISTINCT = 10;

/** Whether a text can have been made at random, and long enough. */
export function isStrongSecret(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length >= JWT_SECRET_MIN_LENGTH &&
    new Set(value).size >= JWT_SECRET_MIN_DISTINCT
  );
}

const IsStrongSecret = () =>
  ValidateBy(
    { name: 'isStrongSecret', validator: { validate: isStrongSecret } },
    {
      message: `must be set to at least ${JWT_SECRET_MIN_LENGTH} random characters (make one with: openssl rand -base64 48)`,
    },
  );

const IsPostgresUrl = () =>
  ValidateBy(
    {
      name: 'isPostgresUrl',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value),
      },
    },
    { message: 'must be a postgres:// or postgresql:// URL' },
  );

const BOOLEAN_RULE = { message: 'must be true or false' };
const JWT_TTL_RULE = { message: 'must be a whole number of seconds from 60 to 2592000 (30 days)' };

/**
 * The service's configuration, one property for each environment variable. Made only by
 * {@link loadEnv}; `process.env` is read in this file only.
 */
export class Env {
  @IsIn(['development', 'test', 'production'], {
    message: 'must be development, test or production',
  })
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  /** Address to listen on. */
  @IsString()
  HOST = '127.0.0.1';

  /** TCP port to listen on; 0 takes any free one. */
  @WholeNumber(0, 65_535)
  PORT = 3000;

  /** PostgreSQL to use; the embedded database where it is absent. */
  @IsOptional()
  @IsPostgresUrl()
  DATABASE_URL?: string;

  /** Folder of the embedded database. */
  @IsString()
  DATA_DIR = './data';

  /**
   * Secret that signs account tokens. Required in production and with PostgreSQL; the embedded
   * default makes one and keeps it in the data directory.
   */
  @ValidateIf((env: Env) => env.JWT_SECRET !== undefined || env.requiresJwtSecret)
  @IsStrongSecret()
  JWT_SECRET?: string;

  /** Lifetime of an account token, in seconds. */
  @ToInteger()
  @IsInt(JWT_TTL_RULE)
  @Min(60, JWT_TTL_RULE)
  @Max(2_592_000, JWT_TTL_RULE)
  JWT_TTL = 3600;

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** Origins whose pages may use the service from a browser; none without. */
  @IsOptional()
  @IsOriginList()
  CORS_ORIGINS?: string;

  /** Proxies whose `X-Forwarded-For` is believed: how many, or which (see {@link IsTrustProxy}). */
  @IsOptional()
  @IsTrustProxy()
  TRUST_PROXY?: string;

  @ToBoolean()
  @IsBoolean(BOOLEAN_RULE)
  RATE_LIMIT_ENABLED = true;

  /** Redis in which several instances count together; each counts for itself without. */
  @IsOptional()
  @Matches(/^rediss?:\/\/./, { message: 'must be a redis:// or rediss:// URL' })
  REDIS_URL?: string;

  /** First part of every key in Redis. */
  @Matches(/^[\w.:-]{1,64}$/, { message: 'must be 1 to 64 letters, digits or _ . : -' })
  REDIS_KEY_PREFIX = 'campaign-service';

  /** Requests a minute with one API key, or with the account tokens of one company. */
  @WholeNumber(1, 1_000_000)
  RATE_LIMIT_PER_KEY = 1_200;

  /** Requests a minute from one address. */
  @WholeNumber(1, 1_000_000)
  RATE_LIMIT_PER_ADDRESS = 3_000;

  /** Registrations an hour from one address. */
  @WholeNumber(1, 1_000_000)
  RATE_LIMIT_REGISTRATIONS = 20;

  /** Logins a minute from one address. */
  @WholeNumber(1, 1_000_000)
  RATE_LIMIT_LOGINS = 20;

  /** Refused credentials a minute from one address. */
  @WholeNumber(1, 1_000_000)
  RATE_LIMIT_BAD_CREDENTIALS = 60;

  /** Seconds for which new requests are still taken after SIGTERM, while `/health/ready` says 503. */
  @WholeNumber(0, 300)
  DRAIN_SECONDS = 3;

  /** Port of the metrics; 0 takes any free one, none are served without. */
  @IsOptional()
  @WholeNumber(0, 65_535)
  METRICS_PORT?: number;

  /** Address of the metrics. */
  @IsString()
  METRICS_HOST = '127.0.0.1';

  get requiresJwtSecret(): boolean {
    return this.NODE_ENV === 'production' || this.DATABASE_URL !== undefined;
  }
}

/** The configuration is wrong; `message` names every wrong variable, a line each. */
export class InvalidEnvError extends Error {
  override name = 'InvalidEnvError';
}

/**
 * Validates the configuration.
 *
 * @param serving whether it is for the service itself; a migration needs no secret
 * @throws InvalidEnvError naming every wrong variable at once
 */
export function loadEnv(variables: NodeJS.ProcessEnv, { serving = true } = {}): Env {
  const known = Object.keys(new Env());
  // An empty variable counts as absent: `PORT= npm start` means the default.
  const given = Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => known.includes(name) && value !== ''),
  );
  const env = plainToInstance(Env, given, { exposeDefaultValues: true });
  const errors = validateSync(env, { stopAtFirstError: true }).filter(
    ({ property }) => serving || property !== ('JWT_SECRET' satisfies keyof Env),
  );
  if (errors.length > 0) {
    const lines = errors.flatMap(({ property, constraints = {} }) =>
      Object.values(constraints).map((message) => `  ${property} ${message}`),
    );
    throw new InvalidEnvError(`The configuration is wrong:\n${lines.join('\n')}`);
  }
  return env;
}

/** {@link loadEnv} of this process's environment and, beneath it, a `.env` file if there is one. */
export function readEnvironment(options: { serving?: boolean } = {}): Env {
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
  }
  return loadEnv(process.env, options);
}
