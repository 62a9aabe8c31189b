import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fetch } from '../../clients/typescript/src/index';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { temporaryDirectory } from '../support/databases';
import { eventually } from '../support/eventually';
import { FaultyProxy, refusal } from '../support/faulty-proxy';
import { begun, start, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';

type SdkClient = InstanceType<Sdk['CampaignClient']>;
type Hash = import('../../clients/typescript/src/sha256').Sha256;

/** Texts that a table must quote, and some that it must not. */
const TEXTS = [
  'plain',
  'two\nlines',
  'two\r\nlines, and a comma',
  'a "quote"',
  '"',
  '=1+1',
  '…日本語 🎈',
  '{"covers":1}\n{"covers":2}',
  'last',
];

const FORMATS = ['ndjson', 'csv'] as const;

describe('an export by the SDK', () => {
  let sdk: Sdk;
  let root: string;
  let api: Client;
  let client: SdkClient;
  let postId: string;
  const whole = { ndjson: '', csv: '' };

  beforeAll(async () => {
    ({ sdk, root } = await installedSdk());
    const company = await registerCompany(service.client);
    ({ api } = await generateKey(company.account, service.client, { mode: 'test' }));
    client = clientWith({});
    postId = (await createSurvey(api)).post_id;
    const questions = [{ type: 'descriptive', question: 'Why, or\n"why not"?' }];
    await api.post('/svc/survey/questions', { post_id: postId, questions });
    await start(api, postId);
    for (const [index, value] of TEXTS.entries()) {
      const begin = await begun(api, postId, `respondent ${index}`);
      const { status } = await submit(api, begin, index, [{ question: 1, value }]);
      expect(status).toBe(200);
    }
    for (const format of FORMATS) {
      await eventually(async () => {
        const path = `/svc/campaign/${postId}/responses/export?format=${format}`;
        const response = await fetch(api.url + path, { headers: api.headers });
        whole[format] = await response.text();
        expect(response.headers.get('export-count')).toBe(String(TEXTS.length));
      });
    }
  }, 180_000);

  const clientWith = (options: object): SdkClient =>
    new sdk.CampaignClient({
      baseUrl: api.url,
      apiKey: api.headers['x-api-key'],
      logLevel: 'off',
      ...options,
    });

  const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

  /** A fetch that changes the bodies of the next responses; later ones stay as they are. */
  function changing(
    ...changes: ((body: Uint8Array<ArrayBuffer>) => ReadableStream<Uint8Array>)[]
  ): { fetch: Fetch; urls: string[] } {
    const urls: string[] = [];
    return {
      urls,
      fetch: async (url, init) => {
        urls.push(url);
        const response = await fetch(url, init);
        const change = changes.shift();
        return change === undefined
          ? response
          : new Response(change(new Uint8Array(await response.arrayBuffer())), response);
      },
    };
  }

  let canceled = 0;
  let hanging = 0;

  /** A body that ends after some bytes, by an error, without one, or not at all. */
  const cutAt = (length: number, end: 'error' | 'close' | 'hang') => (body: Uint8Array) => {
    const chunks = [body.subarray(0, length)];
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = chunks.shift();
          if (chunk !== undefined && chunk.length > 0) {
            controller.enqueue(chunk);
          } else if (end === 'hang') {
            hanging += 1;
            return new Promise(() => undefined);
          } else if (end === 'error') {
            controller.error(new TypeError('terminated'));
          } else {
            controller.close();
          }
          return undefined;
        },
        cancel() {
          canceled += 1;
        },
      },
      { highWaterMark: 0 },
    );
  };

  const replaced = (from: string | RegExp, to: string) => (body: Uint8Array) =>
    new Blob([new TextDecoder().decode(body).replace(from, to)]).stream();

  async function thrown(promise: PromiseLike<unknown>): Promise<any> {
    const outcome = await Promise.resolve(promise).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(outcome).toBeInstanceOf(Error);
    return outcome;
  }

  /** The number of each row, from the file. */
  const seqs = () => [...whole.ndjson.matchAll(/^\{"seq":(\d+)/gm)].map(([, seq]) => Number(seq));

  it.each(FORMATS)('is the file that the service sends, in %s', async (format) => {
    const encodings: (string | null)[] = [];
    const compressed = clientWith({
      fetch: (async (url, init) => {
        const response = await fetch(url, init);
        encodings.push(response.headers.get('content-encoding'));
        return response;
      }) satisfies Fetch,
    });
    const download = compressed.responses.export(postId, { format });
    expect([download.summary, encodings]).toEqual([undefined, []]);
    expect(await download.text()).toBe(whole[format]);
    expect(encodings).toEqual(['gzip']);
    const { count, covers } = download.summary!;
    expect([count, covers.from]).toEqual([TEXTS.length, 1]);
    expect(download.position).toEqual({ after_seq: seqs().at(-1), up_to_seq: covers.to });
    const later = client.responses.export(postId, { format, after_seq: covers.to });
    await later.text();
    expect(later.summary).toEqual({ count: 0, covers: { from: covers.to + 1, to: covers.to } });
  });

  it('writes files and streams, and iterates over the responses', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'responses.csv');
    await writeFile(file, client.responses.export(postId, { format: 'csv', bom: true }));
    expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${whole.csv}`);
    rmSync(directory, { recursive: true });
    let written = '';
    const decoder = new TextDecoder();
    const sink = new WritableStream<Uint8Array>({
      write: (chunk) => {
        written += decoder.decode(chunk);
      },
    });
    const { count } = await client.responses.export(postId).pipeTo(sink);
    expect([count, written]).toEqual([TEXTS.length, whole.ndjson]);
    const values: unknown[] = [];
    for await (const { seq, answers } of client.responses.export(postId).rows()) {
      expect(seq).toBe(seqs()[values.length]);
      values.push(answers[0]!.value);
    }
    // Line breaks are stored as \n.
    expect(values).toEqual(TEXTS.map((text) => text.replaceAll('\r\n', '\n')));
    const some = client.responses.export(postId, { cohorts: [1, 5], version: 1 });
    const cohorts: number[] = [];
    for await (const { cohort } of some.rows()) {
      cohorts.push(cohort);
    }
    expect(new Set(cohorts)).toEqual(new Set([1, 5]));
    const table = client.responses.export(postId, { format: 'csv' }).rows();
    await expect(table.next()).rejects.toThrow(TypeError);
  });

  it.each(FORMATS)(
    'has every row once wherever its connection is cut, in %s',
    async (format) => {
      const file = whole[format];
      // A text that begins like a row is none.
      const rows = file.split(format === 'csv' ? /(?<=\r\n)(?=\d+,part_)/ : /(?<=\n)/);
      const ends = rows.map((_, index) => bytesOf(rows.slice(0, index + 1).join('')).length);
      const rowEnds = format === 'csv' ? ends.slice(1) : ends.slice(0, -1);
      expect(rowEnds).toHaveLength(TEXTS.length);
      for (let at = 0; at < bytesOf(file).length; at += 97) {
        const { fetch, urls } = changing(cutAt(at, at % 2 === 0 ? 'error' : 'close'));
        const download = clientWith({ fetch }).responses.export(postId, { format });
        expect([at, await download.text()]).toEqual([at, file]);
        const { count, covers } = download.summary!;
        expect(count).toBe(TEXTS.length);
        const whole = rowEnds.filter((end) => end <= at).length;
        const { searchParams } = new URL(urls[1] ?? urls[0]!);
        expect([at, urls.length, searchParams.get('after_seq')]).toEqual([
          at,
          2,
          String(seqs()[whole - 1] ?? 0),
        ]);
        expect(searchParams.get('up_to_seq')).toBe(String(covers.to));
      }
    },
    120_000,
  );

  it('continues after cuts of a real connection', async () => {
    const proxy = new FaultyProxy(api.url);
    const baseUrl = await proxy.listen();
    const cut = 'cut inside the response' as const;
    proxy.plan(cut, 'cut before the service', cut, refusal(429, 'rate_limited'), cut);
    const download = clientWith({ baseUrl, maxRetries: 6 }).responses.export(postId);
    expect(await download.text()).toBe(whole.ndjson);
    expect(proxy.requests.length).toBeGreaterThanOrEqual(6);
    proxy.close();
  });

  it.each(FORMATS)('says where to continue when it gives up, in %s', async (format) => {
    const at = Math.floor(bytesOf(whole[format]).length / 2);
    const { fetch } = changing(cutAt(at, 'error'));
    const download = clientWith({ fetch, maxRetries: 0 }).responses.export(postId, { format });
    const chunks: Uint8Array[] = [];
    const error = await thrown(
      (async () => {
        for await (const chunk of download) {
          chunks.push(chunk);
        }
      })(),
    );
    expect(error).toBeInstanceOf(sdk.ExportError);
    expect(error).toMatchObject({
      name: 'ExportError',
      code: 'export_incomplete',
      operation: 'exportResponses',
      position: download.position,
      cause: expect.objectContaining({ name: 'ConnectionError', code: 'connection_failed' }),
    });
    expect(seqs()).toContain(error.position.after_seq);
    const rest = await client.responses.export(postId, { format, ...error.position }).text();
    const rows = format === 'csv' ? rest.slice(rest.indexOf('\r\n') + 2) : rest;
    const joined = Buffer.concat(chunks).toString() + rows;
    const withoutLast = (text: string) => text.replace(/\{"covers":\{.*\n$/, '');
    expect(withoutLast(joined)).toBe(withoutLast(whole[format]));
  });

  it('gives up after maxRetries attempts without a new row', async () => {
    const half = Math.floor(bytesOf(whole.ndjson).length / 2);
    const { fetch, urls } = changing(cutAt(half, 'error'), cutAt(0, 'error'), cutAt(9, 'close'));
    const download = clientWith({ fetch, maxRetries: 2 }).responses.export(postId);
    const error = await thrown(download.text());
    expect(error).toMatchObject({ code: 'export_incomplete', position: download.position });
    expect(urls).toHaveLength(3);
  });

  it('keeps the position if the service refuses the rest', async () => {
    const half = Math.floor(bytesOf(whole.ndjson).length / 2);
    const proxy = new FaultyProxy(api.url);
    const baseUrl = await proxy.listen();
    const { fetch } = changing(cutAt(half, 'error'));
    proxy.plan(undefined, refusal(401, 'api_key_revoked'));
    const download = clientWith({ fetch, baseUrl }).responses.export(postId);
    const error = await thrown(download.text());
    expect(error).toMatchObject({
      code: 'export_incomplete',
      status: 401,
      position: { after_seq: expect.any(Number), up_to_seq: expect.any(Number) },
      cause: expect.any(sdk.AuthenticationError),
    });
    expect(sdk.isErrorOf(error, 'exportResponses')).toBe(false);
    proxy.close();
  });

  it.each<[string, 'ndjson' | 'csv', (body: Uint8Array) => ReadableStream<Uint8Array>]>([
    ['a changed byte', 'ndjson', replaced('plain', 'plane')],
    ['a lost row', 'ndjson', replaced(/^.*\n/, '')],
    ['a row too many', 'ndjson', replaced(/^(.*\n)/, '$1$1')],
    ['a line after the last one', 'ndjson', replaced(/$/, '{"seq":1}\n')],
    ['no row', 'ndjson', replaced(/^/, '<html>\n')],
    ['a wrong last line', 'ndjson', replaced(/"sha256":"./, '"sha256":"x')],
    ['a row too many', 'csv', replaced(/(\r\n)(.*\r\n)/, '$1$2$2')],
  ])('refuses %s in %s', async (_, format, change) => {
    const { fetch, urls } = changing(change);
    const download = clientWith({ fetch }).responses.export(postId, { format });
    const error = await thrown(download.text());
    expect(error).toBeInstanceOf(sdk.ExportError);
    expect(error).toMatchObject({ code: 'export_corrupted', position: { after_seq: 0 } });
    expect(urls).toHaveLength(1);
    expect(download.summary).toBeUndefined();
  });

  it('refuses to continue a table whose columns have changed', async () => {
    const half = Math.floor(bytesOf(whole.csv).length / 2);
    const { fetch } = changing(cutAt(half, 'error'), replaced('1. Why', '1. How'));
    const error = await thrown(
      clientWith({ fetch }).responses.export(postId, { format: 'csv' }).text(),
    );
    expect(error).toMatchObject({ code: 'export_incomplete' });
    expect(error.message).toContain('columns');
  });

  it('throws the refusal of the service, and that of a page which is no export', async () => {
    const unknown = client.responses.export('post_00000000000000000000000000');
    const error = await thrown(unknown.text());
    expect(error).toBeInstanceOf(sdk.NotFoundError);
    expect(sdk.isErrorOf(error, 'exportResponses')).toBe(true);
    for (const body of ['<html>', '{"success":true,"message":"","data":{}}']) {
      const elsewhere = clientWith({ fetch: () => Promise.resolve(new Response(body)) });
      expect(await thrown(elsewhere.responses.export(postId).text())).toMatchObject({
        name: 'ServerError',
        code: 'unexpected_response',
      });
    }
    const headers = { 'content-type': 'text/csv' };
    const other = clientWith({
      fetch: () => Promise.resolve(new Response('seq\r\n', { headers })),
    });
    expect(await thrown(other.responses.export(postId, { format: 'csv' }).text())).toMatchObject({
      name: 'ExportError',
      code: 'unexpected_response',
    });
  });

  it('ends when its signal is aborted, and when its reader stops', async () => {
    const controller = new AbortController();
    const { fetch } = changing(cutAt(700, 'hang'), cutAt(700, 'hang'));
    const waiting = clientWith({ fetch });
    const download = waiting.responses.export(postId, {}, { signal: controller.signal });
    const reason = new Error('enough');
    const before = canceled;
    const error = await thrown(
      (async () => {
        for await (const chunk of download) {
          expect(chunk.length).toBeGreaterThan(0);
          controller.abort(reason);
        }
      })(),
    );
    expect(error).toBeInstanceOf(sdk.AbortedError);
    expect(error).toMatchObject({ code: 'aborted', cause: reason });
    expect([canceled, download.position.after_seq]).toEqual([before + 1, seqs()[0]]);
    for await (const chunk of waiting.responses.export(postId)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(canceled).toBe(before + 2);
  });

  it('ends at once when its stream is canceled, also while it waits for a chunk', async () => {
    const { fetch, urls } = changing(cutAt(700, 'hang'));
    const [before, hangingBefore] = [canceled, hanging];
    const options = { timeoutMs: 2_000 };
    const stream = clientWith({ fetch }).responses.export(postId, {}, options).stream();
    const reader = stream.getReader();
    expect((await reader.read()).value!.length).toBeGreaterThan(0);
    const next = reader.read();
    await eventually(() => {
      expect(hanging).toBe(hangingBefore + 1);
    });
    await reader.cancel();
    expect(await next).toEqual({ done: true, value: undefined });
    expect([canceled, urls.length]).toEqual([before + 1, 1]);
  });

  it('errors its stream when its signal is aborted', async () => {
    const controller = new AbortController();
    const { fetch } = changing(cutAt(700, 'hang'));
    const { signal } = controller;
    const reader = clientWith({ fetch })
      .responses.export(postId, {}, { signal })
      .stream()
      .getReader();
    await reader.read();
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await thrown(reader.read())).toMatchObject({ code: 'aborted', cause: reason });
  });

  it('waits for each chunk no longer than timeoutMs', async () => {
    const { fetch } = changing(cutAt(700, 'hang'));
    const options = { timeoutMs: 2_000, maxRetries: 0 };
    const error = await thrown(clientWith({ fetch }).responses.export(postId, {}, options).text());
    expect(error).toMatchObject({ code: 'export_incomplete', cause: { name: 'TimeoutError' } });
  });

  it('hashes as SHA-256 does, in whatever portions', () => {
    const { Sha256 } = jest.requireActual<{ Sha256: new () => Hash }>(
      join(root, 'dist/cjs/sha256.js'),
    );
    for (let length = 0; length < 200; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
      const hash = new Sha256();
      for (let at = 0; at < length; at += 1 + (length % 70)) {
        hash.update(bytes.subarray(at, at + 1 + (length % 70)));
      }
      expect(hash.digest()).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });
});
