import { once } from 'node:events';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { createApp } from '../src/app.setup';
import { loadEnv } from '../src/config/env';
import { ERROR_STATUS, ErrorCode } from '../src/http/error-codes';
import type { RecordedBody, RecordedExamples } from '../src/openapi/document-content';
import { requestExamples } from '../src/openapi/example-of';
import { ExampleNormalizer } from './example-normalizer';

export type Fields = Record<string, unknown>;

/** A request to record. */
export interface Call {
  headers?: Record<string, string>;
  /**
   * Members that the body has instead of the example's; `undefined` removes a member. Or the body,
   * as text or made from the example.
   */
  body?: Fields | string | ((example: Fields) => Fields);
  /** Values of the path's parameters. */
  path?: Record<string, string>;
  query?: string;
}

interface Operation {
  id: string;
  method: string;
  path: string;
  /** Examples of the body by name; none for an operation without a body. */
  bodies: Record<string, Fields>;
}

/** A response of the service. */
interface Received {
  status: number;
  body: { data: Fields; error?: { code: string } } & RecordedBody;
}

/** Runs the service on the embedded database in a directory while `work` runs. */
export async function withService<T>(
  directory: string,
  work: (app: NestFastifyApplication, url: string) => Promise<T>,
): Promise<T> {
  const env = loadEnv({
    NODE_ENV: 'test',
    DATA_DIR: directory,
    PUBLIC_URL: 'https://campaigns.example.com',
    // The receiver is on this machine, and gets every message twice.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SECONDS: '0',
  });
  const timeouts = { requestTimeout: 300, headersTimeout: 200, timeoutInterval: 50 };
  const app = await createApp(env, pino({ level: 'silent' }), timeouts);
  try {
    await app.listen(0, '127.0.0.1');
    return await work(app, await app.getUrl());
  } finally {
    await app.close();
  }
}

/** Sends requests to a service and keeps the responses as examples. */
export class ExampleRecorder {
  private constructor(
    private readonly url: string,
    private readonly headers: Record<string, string> = {},
    private readonly examples: RecordedExamples = { errors: {}, operations: {}, messages: {} },
    private readonly operations = new Map<string, Operation>(),
  ) {}

  /** A recorder of the service at this address. */
  static async of(url: string): Promise<ExampleRecorder> {
    const recorder = new ExampleRecorder(url);
    await recorder.readOperations();
    return recorder;
  }

  /** A recorder that sends these headers too, and keeps the same examples. */
  with(headers: Record<string, string>): ExampleRecorder {
    const all = { ...this.headers, ...headers };
    return new ExampleRecorder(this.url, all, this.examples, this.operations);
  }

  private async readOperations(): Promise<void> {
    const response = await fetch(`${this.url}/openapi.json`);
    const document = (await response.json()) as { paths: Record<string, Record<string, never>> };
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries<{
        operationId: string;
        requestBody?: Parameters<typeof requestExamples>[1];
      }>(item)) {
        const { operationId: id, requestBody } = operation;
        const bodies = requestBody === undefined ? {} : requestExamples(document, requestBody);
        this.operations.set(id, { id, method: method.toUpperCase(), path, bodies });
      }
    }
  }

  /**
   * Records the success of an operation for each of its examples, and returns the data of the last
   * one.
   */
  async success(id: string, call: Call = {}): Promise<Fields> {
    const operation = this.operation(id);
    const names = Object.keys(operation.bodies);
    let data: Fields = {};
    for (const name of names.length === 0 ? ['default'] : names) {
      const { status, body, sent } = await this.send(operation, call, operation.bodies[name]);
      if (status !== 200) {
        throw new Error(`${id} was to succeed: ${JSON.stringify(body)}`);
      }
      this.kept(id).successes[name] = normalized(body, sent);
      data = body.data;
    }
    return data;
  }

  /** Sends a request without recording it, and returns the data of its success. */
  async prepare(id: string, call: Call = {}): Promise<Fields> {
    const operation = this.operation(id);
    const { status, body } = await this.send(operation, call, Object.values(operation.bodies)[0]);
    if (status !== 200) {
      throw new Error(`${id} was to succeed: ${JSON.stringify(body)}`);
    }
    return body.data;
  }

  /** Records an error that other operations return with the same message. */
  async common(code: ErrorCode, id: string, call: Call = {}): Promise<void> {
    this.examples.errors[code] = await this.error(code, id, call);
  }

  /** Records an error that occurs after enough requests. */
  async commonAtLast(code: ErrorCode, id: string, call: Call = {}): Promise<void> {
    const operation = this.operation(id);
    const [example] = Object.values(operation.bodies);
    for (let attempts = 0; attempts < 100; attempts += 1) {
      const { body, sent } = await this.send(operation, call, example);
      if (body.error?.code === code) {
        this.examples.errors[code] = normalized(body, sent);
        return;
      }
    }
    throw new Error(`${id} never failed with ${code}`);
  }

  /** Records an error that is specific to one operation. */
  async own(id: string, code: ErrorCode, call: Call = {}): Promise<void> {
    this.kept(id).errors[code] = await this.error(code, id, call);
  }

  /** Records a message that the service sent to a receiver. */
  message(body: RecordedBody): void {
    this.examples.messages[String(body.type)] = normalized(body, undefined);
  }

  /** Returns everything recorded: common errors once, others with their operation. */
  finish(): RecordedExamples {
    const { errors } = this.examples;
    for (const { errors: own } of Object.values(this.examples.operations).flatMap(
      (each) => each ?? [],
    )) {
      for (const [code, body] of Object.entries(own) as [ErrorCode, RecordedBody][]) {
        const common = (errors[code] ??= body);
        if (isDeepStrictEqual(common, body)) {
          Reflect.deleteProperty(own, code);
        }
      }
    }
    return this.examples;
  }

  /** Records the response to a request that never ends. */
  async timeout(): Promise<void> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const head = ['POST /api/company/login HTTP/1.1', 'host: localhost', 'content-length: 9'];
    socket.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n{`);
    await once(socket, 'close');
    const body = JSON.parse(received.split('\r\n\r\n')[1] ?? '') as RecordedBody;
    this.examples.errors.request_timeout = normalized(body, undefined);
  }

  private async error(code: ErrorCode, id: string, call: Call): Promise<RecordedBody> {
    const operation = this.operation(id);
    const [example] = Object.values(operation.bodies);
    const { status, body, sent } = await this.send(operation, call, example);
    if (status !== ERROR_STATUS[code] || body.error?.code !== code) {
      throw new Error(`${id} was to fail with ${code}: ${JSON.stringify(body)}`);
    }
    return normalized(body, sent);
  }

  private async send(
    { method, path, bodies }: Operation,
    call: Call,
    example?: Fields,
  ): Promise<Received & { sent: unknown }> {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => call.path?.[name] ?? '');
    const sent =
      typeof call.body === 'string' || Object.keys(bodies).length === 0
        ? call.body
        : typeof call.body === 'function'
          ? call.body(example ?? {})
          : { ...example, ...call.body };
    const response = await fetch(`${this.url}${url}${call.query ?? ''}`, {
      method,
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
        ...call.headers,
      },
      body: typeof sent === 'string' || sent === undefined ? sent : JSON.stringify(sent),
    });
    const body = (await response.json()) as Received['body'];
    return { status: response.status, body, sent: [sent, call.path] };
  }

  private operation(id: string): Operation {
    const operation = this.operations.get(id);
    if (operation === undefined) {
      throw new Error(`there is no operation ${id}`);
    }
    return operation;
  }

  private kept(id: string) {
    return (this.examples.operations[id] ??= { successes: {}, errors: {} });
  }
}

function normalized(body: RecordedBody, sent: unknown): RecordedBody {
  return new ExampleNormalizer(sent).normalize(body) as RecordedBody;
}
