import { onAbort, pause } from './abort.js';
import {
  AbortedError,
  CampaignServiceError,
  ConnectionError,
  type ErrorFields,
  ExportError,
} from './errors.js';
import { ExportPart } from './export-part.js';
import { describe, type Observer } from './observe.js';
import { retryDelay } from './retry.js';
import { Sha256 } from './sha256.js';
import type { Download } from './transport.js';
import type { CampaignResponse, ExportPosition, Query } from './types.js';

/** A response in an export. */
export type ExportedResponse = CampaignResponse & {
  /** The number of the event `response.submitted`. */
  seq: number;
};

/** What a complete export contains. */
export interface ExportSummary {
  /** The numbers of the events that it accounts for. Export the later ones after `covers.to`. */
  covers: { from: number; to: number };
  count: number;
}

/** What to export. */
export type ExportQuery = Omit<Query<'exportResponses'>, 'cohorts' | 'up_to_seq'> & {
  up_to_seq?: number | undefined;
};

/** What an export needs of the client. */
export interface ExportSource {
  open(query: ExportQuery, signal: AbortSignal | undefined): Promise<Download>;
  observer: Observer;
  maxRetries: number;
  signal: AbortSignal | undefined;
}

/** A response was cut; the rest can be requested. */
class Cut extends Error {
  constructor(readonly failure: ConnectionError) {
    super();
  }
}

/** How far one iteration is. */
interface Progress {
  rows: number;
  /** How many rows there will be. */
  count: number | undefined;
  head: string | undefined;
  /** The hash of all rows in NDJSON. */
  hash: Sha256;
}

const encoder = new TextEncoder();

/**
 * All responses to a campaign as a file: iterate over its bytes, or pipe them somewhere. Nothing is
 * requested before. Each chunk ends with a whole row.
 *
 * A connection that is cut is replaced, as often as `maxRetries` says without a row in between, so
 * that the file has every row once. Then its number of rows and, in NDJSON, its hash are checked.
 */
export class ResponseExport implements AsyncIterable<Uint8Array> {
  readonly operation = 'exportResponses';
  readonly #query: ExportQuery;
  readonly #source: ExportSource;
  readonly #after: number;
  #position: ExportPosition;
  #summary: ExportSummary | undefined;

  constructor(query: ExportQuery, source: ExportSource) {
    this.#query = query;
    this.#source = source;
    this.#after = query.after_seq ?? 0;
    this.#position = this.#begin();
  }

  /** Where to continue if the program stops here. */
  get position(): ExportPosition {
    return this.#position;
  }

  /** What the export contains, as soon as all of it has been read. */
  get summary(): ExportSummary | undefined {
    return this.#summary;
  }

  /**
   * Iterates over the bytes.
   *
   * @throws ExportError if the export is incomplete, or not what the service sent
   */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#bytes(this.#source.signal);
  }

  async *#bytes(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void, undefined> {
    const { observer, maxRetries } = this.#source;
    const progress: Progress = { rows: 0, count: undefined, head: undefined, hash: new Sha256() };
    this.#position = this.#begin();
    this.#summary = undefined;
    for (let failures = 0; ;) {
      const { rows } = progress;
      try {
        yield* this.#part(progress, signal);
        return;
      } catch (error) {
        if (!(error instanceof Cut)) {
          throw error;
        }
        const { failure } = error;
        const isFurther = progress.rows > rows;
        failures = isFurther ? 1 : failures + 1;
        const delay = isFurther ? 0 : retryDelay(failure, failures);
        if (failures > maxRetries || delay === undefined) {
          throw this.#incomplete(failure);
        }
        const after = this.#position.after_seq;
        const line = `the export was cut after ${after}: ${describe(failure)}; retry in ${delay} ms`;
        observer.log('info', line);
        await pause(delay, signal);
      }
    }
  }

  /** The bytes as a stream. */
  stream(): ReadableStream<Uint8Array> {
    const reading = new AbortController();
    const bytes = this.#until(reading);
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await bytes.next();
        if (done === true) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      async cancel() {
        // Ends a read that waits for the service; the generator returns after it only.
        reading.abort();
        await bytes.return();
      },
    });
  }

  /** The bytes, until the caller's signal or this one ends them. */
  async *#until(reading: AbortController): AsyncGenerator<Uint8Array, void, undefined> {
    const { signal } = this.#source;
    const stop = onAbort(signal, () => reading.abort(signal?.reason));
    try {
      yield* this.#bytes(reading.signal);
    } finally {
      stop();
    }
  }

  /** Writes the bytes to a stream, and closes it. */
  async pipeTo(destination: WritableStream<Uint8Array>): Promise<ExportSummary> {
    await this.stream().pipeTo(destination);
    return this.#summary as ExportSummary;
  }

  /** Returns the whole file; for small exports. */
  text(): Promise<string> {
    return textOf(this);
  }

  /**
   * Iterates over the responses.
   *
   * @throws TypeError if the format is not NDJSON
   */
  async *rows(): AsyncGenerator<ExportedResponse, void, undefined> {
    if (this.#isTable) {
      throw new TypeError('Only an export in the format ndjson has rows');
    }
    const decoder = new TextDecoder();
    for await (const chunk of this) {
      for (const line of decoder.decode(chunk).split('\n')) {
        if (line !== '' && this.#summary === undefined) {
          yield JSON.parse(line) as ExportedResponse;
        }
      }
    }
  }

  get #isTable(): boolean {
    return this.#query.format === 'csv';
  }

  #begin(): ExportPosition {
    return { after_seq: this.#after, up_to_seq: this.#query.up_to_seq };
  }

  /** Reads one response, from the position on. */
  async *#part(
    progress: Progress,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { chunks, headers, requestId, cancel } = await this.#open(progress, signal);
    const count = numberIn(headers, 'export-count');
    const upTo = numberIn(headers, 'export-up-to-seq');
    if (count === undefined || upTo === undefined) {
      cancel();
      const message = 'The response has no Export-Count and Export-Up-To-Seq';
      throw this.#error(message, { code: 'unexpected_response', requestId });
    }
    const part = new ExportPart(this.#isTable);
    const before = progress.rows;
    // The last line of what continues an export has the hash of just these rows.
    const hashes = before > 0 ? [progress.hash, new Sha256()] : [progress.hash];
    progress.count ??= before + count;
    this.#position = { ...this.#position, up_to_seq: upTo };
    for await (const bytes of cutting(chunks)) {
      const rows = this.#take(part, bytes, requestId);
      if (part.head !== undefined && part.head !== progress.head) {
        if (progress.head !== undefined) {
          const message = 'The columns have changed, so the export cannot be continued';
          throw this.#error(message, { code: 'export_incomplete', requestId });
        }
        progress.head = part.head;
        yield encoder.encode(part.head);
      }
      if (rows.length > 0) {
        for (const hash of this.#isTable ? [] : hashes) {
          hash.update(rows);
        }
        progress.rows = before + part.rows;
        yield rows;
        this.#position = { after_seq: part.lastSeq ?? this.#after, up_to_seq: upTo };
      }
    }
    this.#check(part, progress, requestId);
    const [sha256, sha256OfPart = sha256] = hashes.map((hash) => hash.digest());
    if (part.end !== undefined && part.end.sha256 !== sha256OfPart) {
      throw this.#corrupted('The rows do not have the SHA-256 of the last line', requestId);
    }
    const covers = { from: this.#after + 1, to: Math.max(this.#after, upTo) };
    this.#summary = { covers, count: progress.rows };
    if (!this.#isTable) {
      yield encoder.encode(`${JSON.stringify({ ...this.#summary, sha256 })}\n`);
    }
  }

  async #open({ rows }: Progress, signal: AbortSignal | undefined): Promise<Download> {
    try {
      return await this.#source.open({ ...this.#query, ...this.#position }, signal);
    } catch (error) {
      const isOurs = error instanceof CampaignServiceError && !(error instanceof AbortedError);
      throw isOurs && rows > 0 ? this.#incomplete(error) : error;
    }
  }

  #take(part: ExportPart, bytes: Uint8Array, requestId: string): Uint8Array {
    try {
      return part.take(bytes);
    } catch (cause) {
      throw this.#corrupted(`The export cannot be read: ${String(cause)}`, requestId);
    }
  }

  /** Checks the number of rows of a response that has ended, and of the whole export. */
  #check(part: ExportPart, { rows, count = rows }: Progress, requestId: string): void {
    const { operation } = this;
    const hasEnd = this.#isTable ? part.head !== undefined && rows >= count : part.end;
    if (part.isCut || !hasEnd) {
      const message = 'The response ended before its last row';
      throw new Cut(
        new ConnectionError(message, { operation, code: 'connection_failed', requestId }),
      );
    }
    if (part.end !== undefined && part.end.count !== part.rows) {
      const message = `The response has ${part.rows} rows instead of ${part.end.count}`;
      throw this.#corrupted(message, requestId);
    }
    if (rows !== count) {
      throw this.#corrupted(`The export has ${rows} rows instead of ${count}`, requestId);
    }
  }

  #incomplete(failure: CampaignServiceError): ExportError {
    const { requestId, status, headers, body, details, retryAfterSeconds, rateLimits } = failure;
    const { after_seq, up_to_seq } = this.#position;
    const message = `The export is incomplete: continue after ${after_seq} up to ${up_to_seq}. ${failure.message}`;
    return this.#error(
      message,
      {
        ...{ code: 'export_incomplete', requestId, status, headers, body },
        ...{ details, retryAfterSeconds, rateLimits },
      },
      failure,
    );
  }

  /** What has arrived cannot be trusted, so nothing continues it. */
  #corrupted(message: string, requestId: string): ExportError {
    this.#position = this.#begin();
    return this.#error(message, { code: 'export_corrupted', requestId });
  }

  #error(message: string, fields: Omit<ErrorFields, 'operation'>, cause?: unknown): ExportError {
    const { operation } = this;
    const options = cause === undefined ? undefined : { cause };
    return new ExportError(message, { ...fields, operation }, this.#position, options);
  }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** A file: iterate over its bytes. Nothing is requested before. */
export class FileDownload<
  O extends 'exportTransfers' | 'downloadSettlement',
> implements AsyncIterable<Uint8Array> {
  readonly #open: () => Promise<Download>;

  constructor(
    readonly operation: O,
    open: () => Promise<Download>,
  ) {
    this.#open = open;
  }

  /** @throws ConnectionError if the connection is cut */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    yield* (await this.#open()).chunks;
  }

  /** Returns the whole file; for small ones. */
  text(): Promise<string> {
    return textOf(this);
  }
}

/** Transfers as a file. */
export type TransferExport = FileDownload<'exportTransfers'>;

/** The payments of a settlement as a file. */
export type SettlementFile = FileDownload<'downloadSettlement'>;

function numberIn(headers: Headers, name: string): number | undefined {
  const value = headers.get(name);
  return value === null || !/^\d+$/.test(value) ? undefined : Number(value);
}

/** Tells the end of a connection from the errors of the program that reads. */
async function* cutting(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof ConnectionError ? new Cut(error) : error;
  }
}
