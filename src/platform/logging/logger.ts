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

/** Bytes of lines that wait for standard output; further lines are dropped. */
const WAITING_MAXIMUM = 4 * 2 ** 20;

/** Milliseconds in which an exiting process tries to write the lines that wait. */
const LAST_WRITES_LIMIT = 300;

/**
 * Opens standard output so that neither a full disk nor a reader that stops can end the service or
 * keep it from ending. The lines wait, and each new line tries again to write them.
 */
function standardOutput(): DestinationStream {
  let failing = false;
  let giveUpAt = Infinity;
  const stream = destination({
    fd: 1,
    sync: false,
    maxLength: WAITING_MAXIMUM,
    retryEAGAIN: () => performance.now() < giveUpAt,
  });
  stream.on('error', () => (failing = true));
  stream.on('write', () => (failing = false));
  // A line that is dropped would not try again to write those that wait.
  stream.on('drop', () => stream.write(''));
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    // It repeats a write that fails for ever, unless the reader is only late.
    if (failing) {
      return;
    }
    giveUpAt = performance.now() + LAST_WRITES_LIMIT;
    try {
      flush();
    } catch {
      // The reader has stopped, and the lines are lost.
    }
    giveUpAt = Infinity;
  };
  return stream;
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
  return pino(options, stream ?? standardOutput());
}

/** Contexts in which Nest logs every module and route that it sets up. */
const NEST_SETUP = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** Passes the messages of Nest and of its `Logger` to the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    // What Nest sets up only matters to developers of this service.
    const level = context === undefined || NEST_SETUP.has(context) ? 'debug' : 'info';
    this.logger[level]({ context }, String(message));
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
