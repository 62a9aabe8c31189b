import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module';
import { Env } from './config/env';
import { openDatabase } from './database/open-database';
import { answerClientError } from './http/client-error';
import { drainConnections } from './http/drain-connections';
import { answerFrameworkError } from './http/error.filter';
import { acceptJsonOnly, BODY_LIMIT } from './http/json-body';
import { trackMethods } from './http/method-not-allowed';
import { serveDocumentation } from './http/openapi';
import { NestLogger } from './logging/logger';
import { logController, logRequests, requestId } from './logging/request-log';

/** Milliseconds a client may take to send a request. */
const REQUEST_TIMEOUT = 15_000;

/**
 * Makes an instance that is ready to listen; tests call it too, with the configuration they need.
 *
 * @throws where the service could not serve: no database, a schema that is behind, a data
 *   directory that is in use
 */
export async function createApp(env: Env, logger: Logger): Promise<NestFastifyApplication> {
  const dataSource = await openDatabase(env);
  try {
    return await assemble(env, logger, dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

async function assemble(
  env: Env,
  logger: Logger,
  dataSource: DataSource,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    // As long as a request line can be: a parameter that is too long is a 400, not an unknown route.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: REQUEST_TIMEOUT,
    // Requests on open connections are served until the last moment of a shutdown.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
    skipMiddie: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  logRequests(fastify);
  drainConnections(fastify);
  const refuseOtherMethods = trackMethods(fastify);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(env, dataSource),
    adapter,
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  acceptJsonOnly(fastify);
  await serveDocumentation(app);
  await app.init();
  refuseOtherMethods();
  await fastify.ready();
  return app;
}
