import { randomUUID } from 'node:crypto';
import { fastify, FastifyBaseLogger, LogController } from 'fastify';
import { destination, pino, stdTimeFunctions } from 'pino';
import { errorEnvelope, Refusal, refusalOf, SECURITY_HEADERS, success } from './answers';
import { addRoutes } from './routes';
import { pool } from './statements';

/*
 * The limit: the minimum cost of the same work, with the same guarantees and the same responses, on
 * this stack. A service written like this would be hard to maintain.
 */

const loggerInstance: FastifyBaseLogger = pino(
  {
    level: 'info',
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  },
  destination({ fd: 1, sync: false }),
);

const app = fastify({
  loggerInstance,
  logController: new LogController({
    disableRequestLogging: true,
    requestIdLogLabel: 'request_id',
  }),
  genReqId: () => randomUUID(),
  bodyLimit: 2 * 1024 * 1024,
  ajv: {
    customOptions: {
      allErrors: true,
      coerceTypes: false,
      removeAdditional: false,
      multipleOfPrecision: 6,
    },
  },
});
app.decorateRequest('caller', null);
app.decorateRequest('errorCode', null);

app.addHook('onRequest', (request, reply, done) => {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  done();
});
app.addHook('onResponse', (request, reply, done) => {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      company_id: request.caller?.companyId,
      key_id: request.caller?.keyId,
      error_code: request.errorCode ?? undefined,
    },
    'request',
  );
  done();
});
app.setErrorHandler((error, request, reply) => {
  const refusal = toRefusal(error);
  request.errorCode = refusal.code;
  if (refusal.status >= 500) {
    request.log.error({ err: error }, 'request failed');
  }
  void reply.status(refusal.status).send(errorEnvelope(refusal, request.id));
});

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  const { validation, statusCode, constraint } = error as Record<string, unknown>;
  if (Array.isArray(validation)) {
    return refusalOf(validation as Parameters<typeof refusalOf>[0]);
  }
  if (constraint === 'campaign_cohort_5_equals_reward') {
    const message = 'cohort_5_reward must equal reward_amount.';
    return new Refusal(422, 'cohort_reward_mismatch', message);
  }
  return statusCode === 400
    ? new Refusal(400, 'malformed_json', 'The request body is not valid JSON.')
    : new Refusal(500, 'internal_error', 'Something went wrong on our side.');
}

addRoutes(app);

app.get('/health/ready', async () => {
  await pool.query('SELECT 1');
  return success('Ready.', {});
});

process.on('SIGTERM', () => {
  void app.close().then(() => pool.end());
});

app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
