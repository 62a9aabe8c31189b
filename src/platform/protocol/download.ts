import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { acceptedEncoding } from './accept-encoding';
import { addVary } from './vary';

/** Maximum number of listeners for one event of the response, above which Node warns of a leak. */
const MAX_LISTENERS = 20;

/** A file that a client downloads. */
interface Download {
  content: AsyncIterable<string>;
  /** Such as `text/csv`. */
  type: string;
  filename: string;
  /** Headers of its own. */
  headers?: Readonly<Record<string, string>>;
}

/** Removes headers that do not fit the error which replaces a response that is not yet sent. */
function removeHeaders(reply: FastifyReply, names: readonly string[]): void {
  if (reply.raw.headersSent) {
    return;
  }
  for (const name of names) {
    reply.removeHeader(name);
    // Fastify copies the headers of a stream when it begins to read it.
    reply.raw.removeHeader(name);
  }
}

/** Sends a download, compressed if the request accepts it. An error of its content cuts it off. */
export function sendDownload(
  reply: FastifyReply,
  { content, type, filename, headers: own = {} }: Download,
): StreamableFile {
  const accepted = reply.request.headers['accept-encoding'];
  const isCompressed = acceptedEncoding(accepted, ['gzip']) !== undefined;
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${filename}"`,
    ...own,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  };
  reply.headers({ 'cache-control': 'no-store', ...headers });
  addVary(reply, 'accept-encoding');
  // Fastify, Nest and the service add more listeners to it than Node expects.
  reply.raw.setMaxListeners(MAX_LISTENERS);
  const text = Readable.from(content, { objectMode: false });
  text.once('error', () => {
    removeHeaders(reply, Object.keys(headers));
  });
  if (!isCompressed) {
    return new StreamableFile(text);
  }
  // An error destroys the compressed stream too, and with it the connection.
  return new StreamableFile(pipeline(text, createGzip(), () => undefined));
}
