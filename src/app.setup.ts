import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { EXAMPLE_KEY_ID } from './access/api-key/api-key.examples';
import { EXAMPLE_APPROVAL_ID } from './campaigns/approval/approval.dto';
import { EXAMPLE_POST_ID } from './campaigns/campaign/post-id.field';
import { EXAMPLE_EMAIL } from './access/company/company.dto';
import { EXAMPLE_PARTICIPATION_ID } from './fielding/participations/fielding.fields';
import { EXAMPLE_GUARDRAIL_ID } from './campaigns/guardrail/guardrail.dto';
import { EXAMPLE_LINK_ID } from './insight/results-page/results-link.dto';
import { AgentService } from './delivery/mcp/agent.service';
import { serveMcp } from './delivery/mcp/mcp.route';
import { WEBHOOKS } from './delivery/webhook/webhook.document';
import { EXAMPLE_EVENT_ID } from './delivery/feed/feed.dto';
import { EXAMPLE_WEBHOOK_ID } from './delivery/webhook/webhook.dto';
import type { DocumentContent } from './platform/openapi/document-content';
import { INTRODUCTION, SECTIONS } from './platform/openapi/document-texts';
import { GUIDE_TOPICS } from './platform/openapi/guide-topics';
import { AppModule, entities } from './app.module';
import { Env } from './platform/config/env';
import { readOrigins } from './platform/config/origins';
import { databaseKind } from './platform/database/data-source';
import { openDatabase, requireEncryptionKey } from './platform/database/open-database';
import { DEFAULT_LIMIT } from './platform/limits/body-limit';
import { answerClientError, HEAD_MAXIMUM } from './platform/protocol/client-error';
import { PageExamples, serveDocumentation } from './platform/openapi/pages';
import { answerFrameworkError, logController } from './platform/protocol/error.filter';
import { allowOrigins } from './platform/protocol/cors';
import { TARGET_MAXIMUM } from './platform/protocol/expect-header';
import { originForm } from './platform/protocol/origin-form';
import { acceptIdempotencyKeys } from './platform/idempotency/idempotent.decorator';
import { IdempotentRunner } from './platform/idempotency/idempotent-runner';
import { NestLogger } from './platform/logging/logger';
import { requestId, requestLogger } from './platform/logging/request-log';
import { EXAMPLE_SETTLEMENT_ID } from './operations/settlement/settlement.dto';
import { addPipeline, recordersOf } from './pipeline';
import { serveSecurityText } from './platform/site/security-text';
import { serveSite } from './platform/site/site';

/** The texts of the OpenAPI document that concern the service as a whole. */
export const DOCUMENT: DocumentContent = {
  title: 'Campaign Service',
  introduction: INTRODUCTION,
  topics: GUIDE_TOPICS,
  sections: SECTIONS,
  webhooks: WEBHOOKS,
};

/** Values in the examples that the documentation page replaces, so that every example works. */
export const PAGE_EXAMPLES: PageExamples = {
  latest: {
    post_id: EXAMPLE_POST_ID,
    key_id: EXAMPLE_KEY_ID,
    webhook_id: EXAMPLE_WEBHOOK_ID,
    event_id: EXAMPLE_EVENT_ID,
    link_id: EXAMPLE_LINK_ID,
    guardrail_id: EXAMPLE_GUARDRAIL_ID,
    participation_id: EXAMPLE_PARTICIPATION_ID,
    settlement_id: EXAMPLE_SETTLEMENT_ID,
    approval_id: EXAMPLE_APPROVAL_ID,
  },
  fresh: { operation: 'POST /api/company/create', field: 'email', value: EXAMPLE_EMAIL },
  // Whoever tries the page begins with test data.
  fixed: [{ operation: 'POST /svc/api-key/generate', field: 'mode', value: 'test' }],
};

/** Milliseconds that a client has to send a request, and to send its headers. */
const REQUEST_TIMEOUT = 15_000;
const HEADERS_TIMEOUT = 10_000;

/** Milliseconds between two checks for clients that take longer. */
const TIMEOUT_INTERVAL = 1_000;

const noSchemas = () => {
  throw new Error('Requests are checked by DTOs, not by schemas of Fastify.');
};

/** In place of the compilers of Fastify, whose libraries need not be loaded then. */
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas };

/** Overrides of the client timeouts, for tests. */
interface Timeouts {
  requestTimeout?: number;
  headersTimeout?: number;
  timeoutInterval?: number;
  unreadTimeout?: number;
}

/**
 * Creates an instance that is ready to listen. Tests call it too, with the configuration they need.
 *
 * @throws if the service could not serve: there is no database, the schema is behind, the data
 *   directory is in use, or the encryption key is missing
 */
export async function createApp(
  env: Env,
  logger: Logger,
  timeouts: Timeouts = {},
): Promise<NestFastifyApplication> {
  logger.info({ database: databaseKind(env) }, 'preparing the database');
  const dataSource = await openDatabase(env, entities);
  try {
    await requireEncryptionKey(env, dataSource);
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
    unreadTimeout,
  }: Timeouts,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController,
    childLoggerFactory: requestLogger,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: DEFAULT_LIMIT,
    routerOptions: { maxParamLength: TARGET_MAXIMUM },
    rewriteUrl: ({ url = '' }) => originForm(url),
    trustProxy: env.TRUST_PROXY ?? false,
    requestTimeout,
    http: {
      headersTimeout,
      // More than a request line and headers need: one that is too long gets its own status.
      maxHeaderSize: HEAD_MAXIMUM,
      connectionsCheckingInterval: timeoutInterval,
      // The pipeline refuses a request without a Host header, in the envelope.
      requireHostHeader: false,
    },
    // During a shutdown, requests on open connections are served until the end.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      void answerFrameworkError(error, request, reply, recordersOf(env), admit);
    },
    skipMiddie: true,
    schemaController: { compilersFactory: NO_SCHEMAS },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.server.maxConnections = env.MAX_CONNECTIONS;
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(env, dataSource),
    adapter,
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  const admit = addPipeline(fastify, app, env, unreadTimeout);
  allowOrigins(app, readOrigins(env.CORS_ORIGINS));
  acceptIdempotencyKeys(fastify, app.get(IdempotentRunner));
  const document = serveDocumentation(fastify, DOCUMENT, PAGE_EXAMPLES);
  serveSite(fastify, document, DOCUMENT, env.PUBLIC_URL);
  serveSecurityText(fastify, env);
  if (env.MCP_ENABLED) {
    serveMcp(fastify, document, app.get(AgentService, { strict: false }));
  }
  await app.init();
  await fastify.ready();
  return app;
}
