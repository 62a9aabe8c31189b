import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module';
import { Env } from './config/env';
import { readOrigins } from './config/origins';
import { readTrustProxy } from './config/trust-proxy';
import { openDatabase } from './database/open-database';
import { HealthService } from './health/health.service';
import { answerClientError } from './http/client-error';
import { serveDocumentation } from './http/docs-page';
import { drainConnections } from './http/drain-connections';
import { answerFrameworkError } from './http/error.filter';
import { acceptJsonOnly, BODY_LIMIT } from './http/json-body';
import { allowOrigins } from './http/cors';
import { trackMethods } from './http/method-not-allowed';
import { setSecurityHeaders } from './http/security-headers';
import { IdempotentAnswers } from './idempotency/idempotent-answers';
import { NestLogger } from './logging/logger';
import { logController, logRequests, requestId, requestLogger } from './logging/request-log';
import { measureRequests } from './metrics/measure-requests';
import { limitRequests } from './rate-limit/limit-requests';
import { RateLimits } from './rate-limit/rate-limits.service';

/** Milliseconds a client may take to send a request, and its headers. */
const REQUEST_TIMEOUT = 15_000;
const HEADERS_TIMEOUT = 10_000;

/** Milliseconds between two looks for those that take longer. */
const TIMEOUT_INTERVAL = 1_000;

/** How long a client may take, where tests cannot wait as long. */
interface Timeouts {
  requestTimeout?: number;
  headersTimeout?: number;
  timeoutInterval?: number;
}

/**
 * Makes an instance that is ready to listen; tests call it too, with the configuration they need.
 *
 * @throws where the service could not serve: no database, a schema that is behind, a data
 *   directory that is in use
 */
export async function createApp(
  env: Env,
  logger: Logger,
  timeouts: Timeouts = {},
): Promise<NestFastifyApplication> {
  const dataSource = await openDatabase(env);
  try {
    return await assemble(env, logger, dataSource, timeouts);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

async function assemble(
  env: Env,
  logger: Logger,
  dataSource: DataSource,
  {
    requestTimeout = REQUEST_TIMEOUT,
    headersTimeout = HEADERS_TIMEOUT,
    timeoutInterval = TIMEOUT_INTERVAL,
  }: Timeouts,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController,
    childLoggerFactory: requestLogger,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    // As long as a request line can be: a parameter that is too long is a 400, not an unknown route.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    requestTimeout,
    http: { headersTimeout, connectionsCheckingInterval: timeoutInterval },
    // Requests on open connections are served until the last moment of a shutdown.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
    skipMiddie: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  logRequests(fastify);
  measureRequests(fastify, env);
  setSecurityHeaders(fastify);
  const refuseOtherMethods = trackMethods(fastify);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(env, dataSource),
    adapter,
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  allowOrigins(app, readOrigins(env.CORS_ORIGINS));
  const health = app.get(HealthService);
  drainConnections(fastify, () => health.stopping);
  limitRequests(fastify, app.get(RateLimits));
  fastify.decorate<IdempotentAnswers>('idempotency', app.get(IdempotentAnswers));
  acceptJsonOnly(fastify);
  await serveDocumentation(app);
  await app.init();
  refuseOtherMethods();
  await fastify.ready();
  return app;
}
