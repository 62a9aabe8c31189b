import { once } from 'node:events';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { ERROR_STATUS, ErrorCode } from '../src/platform/protocol/error-codes';
import type { RecordedBody, RecordedExamples } from '../src/platform/openapi/document-content';
import { RequestBody, requestExamples } from '../src/platform/openapi/example-of';
import { normalized } from './example-normalizer';
import { INVALID_REQUESTS } from './invalid-requests';

export type Fields = Record<string, unknown>;

interface Operation {
  method: string;
  path: string;
  /** Examples of the body by name; an operation without a body has an empty default. */
  bodies: Record<string, Fields>;
}

/** A response of the service. */
interface Received {
  status: number;
  body: { data: Fields; error?: { code: string } } & RecordedBody;
  /** What was sent, with the identifiers in it. */
  sent: unknown;
}

/** What the recorders of one service have in common. */
interface Recording {
  url: string;
  examples: RecordedExamples;
  operations: Map<string, Operation>;
}

/** Sends requests to a service and keeps the responses as examples. */
export class ExampleRecorder {
  private constructor(
    private readonly recording: Recording,
    /** Identifiers that requests refer to: of each name, the last one received. */
    readonly ids: Fields = {},
    private readonly headers: Record<string, string> = {},
  ) {}

  /** A recorder of the service at this address. */
  static async of(url: string): Promise<ExampleRecorder> {
    const examples = { errors: {}, operations: {}, messages: {} };
    const operations = new Map<string, Operation>();
    const response = await fetch(`${url}/openapi.json`);
    const document = (await response.json()) as {
      paths: Record<string, Record<string, { operationId: string; requestBody?: RequestBody }>>;
    };
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries(item)) {
        const bodies = requestBody ? requestExamples(document, requestBody) : { default: {} };
        operations.set(operationId, { method: method.toUpperCase(), path, bodies });
      }
    }
    return new ExampleRecorder({ url, examples, operations });
  }

  /** A recorder that sends these headers too, and keeps the same examples. */
  with(headers: Record<string, string>): ExampleRecorder {
    return new ExampleRecorder(this.recording, this.ids, { ...this.headers, ...headers });
  }

  /**
   * Records the success of an operation for each of its examples, and its error for the invalid
   * request.
   *
   * @param fields members of the body, the path or the query: they replace those of the example,
   *   and `undefined` removes one. Identifiers that it does not name are those in `ids`.
   * @returns the data of the last success
   */
  async success(id: string, fields: Fields = {}): Promise<Fields> {
    const invalid = INVALID_REQUESTS[id];
    if (invalid !== undefined) {
      await this.own(id, 'validation_failed', { ...fields, ...invalid });
    }
    let data: Fields = {};
    for (const name of Object.keys(this.operation(id).bodies)) {
      const received = await this.send(id, fields, name);
      data = this.dataOf(id, received);
      this.kept(id).successes[name] = normalized(received.body, received.sent);
    }
    return data;
  }

  /** Records the success of operations that need nothing but identifiers received before. */
  async successes(...ids: string[]): Promise<void> {
    for (const id of ids) {
      await this.success(id);
    }
  }

  /** Sends the first example of a request without recording it, and returns the data. */
  async prepare(id: string, fields: Fields = {}): Promise<Fields> {
    return this.dataOf(id, await this.send(id, fields));
  }

  /** Records an error that other operations return with the same message. */
  async common(id: string, code: ErrorCode, fields: Fields | string = {}): Promise<void> {
    this.recording.examples.errors[code] = this.errorOf(id, code, await this.send(id, fields));
  }

  /** Records an error that occurs after enough requests. */
  async commonAtLast(id: string, code: ErrorCode, fields: Fields = {}): Promise<void> {
    let received = await this.send(id, fields);
    for (let attempts = 1; attempts < 100 && received.status === 200; attempts += 1) {
      received = await this.send(id, fields);
    }
    this.recording.examples.errors[code] = this.errorOf(id, code, received);
  }

  /** Records an error that is specific to one operation. */
  async own(id: string, code: ErrorCode, fields: Fields | string = {}): Promise<void> {
    this.kept(id).errors[code] = this.errorOf(id, code, await this.send(id, fields));
  }

  /** Records a message that the service sent to a receiver. */
  message(body: RecordedBody): void {
    this.recording.examples.messages[String(body.type)] = normalized(body);
  }

  /** Returns everything recorded: common errors once, others with their operation. */
  finish(): RecordedExamples {
    const { errors, operations } = this.recording.examples;
    for (const operation of Object.values(operations)) {
      const own = operation?.errors ?? {};
      for (const [code, body] of Object.entries(own) as [ErrorCode, RecordedBody][]) {
        if (isDeepStrictEqual((errors[code] ??= body), body)) {
          Reflect.deleteProperty(own, code);
        }
      }
    }
    return this.recording.examples;
  }

  /** Records the response to a request that never ends. */
  async timeout(): Promise<void> {
    const { hostname, port } = new URL(this.recording.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const head = ['POST /api/company/login HTTP/1.1', 'host: localhost', 'content-length: 9'];
    socket.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n{`);
    await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
    const body = JSON.parse(received.split('\r\n\r\n')[1] ?? '') as RecordedBody;
    this.recording.examples.errors.request_timeout = normalized(body);
  }

  private dataOf(id: string, { status, body }: Received): Fields {
    if (status !== 200) {
      throw new Error(`${id} was to succeed: ${JSON.stringify(body)}`);
    }
    for (const [name, value] of Object.entries(body.data)) {
      if (name.endsWith('_id') && value !== null) {
        this.ids[name] = value;
      }
    }
    return body.data;
  }

  private errorOf(id: string, code: ErrorCode, { status, body, sent }: Received): RecordedBody {
    if (status !== ERROR_STATUS[code] || body.error?.code !== code) {
      throw new Error(`${id} was to fail with ${code}: ${JSON.stringify(body)}`);
    }
    return normalized(body, sent);
  }

  /** @param name of the example, by default the first one */
  private async send(id: string, fields: Fields | string, name?: string): Promise<Received> {
    const { method, path, bodies } = this.operation(id);
    const example = bodies[name ?? Object.keys(bodies)[0] ?? ''] ?? {};
    const replaced = typeof fields === 'string' ? {} : fields;
    const values = { ...this.ids, ...replaced };
    const url = new URL(this.recording.url);
    url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => String(values[each]));
    const members = Object.keys({ ...example, ...replaced })
      .filter((each) => !path.includes(`{${each}}`))
      .map((each) => [each, each in values ? values[each] : example[each]] as const)
      .filter(([, value]) => value !== undefined);
    let body: string | undefined;
    if (method === 'GET') {
      url.search = String(new URLSearchParams(members as [string, string][]));
    } else {
      body = typeof fields === 'string' ? fields : JSON.stringify(Object.fromEntries(members));
    }
    const headers = { ...(body && { 'content-type': 'application/json' }), ...this.headers };
    const response = await fetch(url, { method, headers, body });
    const received = (await response.json()) as Received['body'];
    return { status: response.status, body: received, sent: [body, url.pathname] };
  }

  private operation(id: string): Operation {
    const operation = this.recording.operations.get(id);
    if (operation === undefined) {
      throw new Error(`there is no operation ${id}`);
    }
    return operation;
  }

  private kept(id: string) {
    return (this.recording.examples.operations[id] ??= { successes: {}, errors: {} });
  }
}
