import { LoggerService } from '@nestjs/common';
import { destination, DestinationStream, Logger, LoggerOptions, pino, stdSerializers } from 'pino';
import { Env } from '../config/env';
import { traceFields } from '../tracing/tracing';

/**
 * Returns the loggable part of an error. Database errors carry the statement's parameters, which
 * can contain anything a client sent, so only the members named here are logged.
 */
export function serializeError(error: unknown) {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: String(error) };
  }
  const { type, message, stack } = stdSerializers.err(error);
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  return { type, message, stack, code, constraint, table };
}

/**
 * Creates a logger that writes JSON lines to standard output, or readable text to a terminal.
 *
 * @param stream destination instead of standard output
 */
export function createLogger(env: Env, stream?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: env.LOG_LEVEL,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  if (stream === undefined && process.stdout.isTTY) {
    // A transport accepts numeric levels only.
    return pino({
      ...options,
      formatters: {},
      transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss' } },
    });
  }
  return pino(options, stream ?? destination({ fd: 1, sync: false }));
}

/** Passes Nest's own messages to the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    // Nest logs every module and route that it sets up, which only matters to developers of this
    // service.
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ ...traceFields(), context }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const [stack, context] = rest.length > 1 ? rest : [undefined, rest[0]];
    if (message instanceof Error) {
      this.logger.error({ ...traceFields(), err: message, context });
    } else {
      this.logger.error({ ...traceFields(), context, stack }, String(message));
    }
  }

  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context }, String(message));
  }
}
