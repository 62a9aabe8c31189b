import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { Session } from '../session.js';

/** Where a message of the revisions from 2026 has the version that it is written in. */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The error of a request that the service could not be asked about, in JSON-RPC's own range. */
const UNREACHABLE = -32_000;

/** A JSON-RPC message, as far as it is looked at here. */
interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: unknown };
}

/** Adds `mcp`. */
export function addMcp(program: Command, session: Session): void {
  program
    .command('mcp')
    .description('Give an agent the tools of the service, over standard input and output')
    .action(() => passOn(session));
}

/**
 * Passes each message on standard input on to the service, and its responses to standard output, a
 * line each. Messages do not wait for each other.
 */
async function passOn(session: Session): Promise<void> {
  const { url, apiKey } = session.login;
  const { stdin, stdout, signal } = session.io;
  let agreed: string | undefined;

  const send = async (text: string): Promise<void> => {
    const message = JSON.parse(text) as Message;
    const response = await fetch(new URL('mcp', url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: { 'x-api-key': apiKey, ...headersOf(message, agreed) },
      body: text,
      signal,
    });
    const body = await response.text();
    for (const line of linesOf(body, response.headers.get('content-type') ?? '')) {
      const { protocolVersion } = (JSON.parse(line) as Message).result ?? {};
      if (message.method === 'initialize' && typeof protocolVersion === 'string') {
        agreed = protocolVersion;
      }
      stdout.write(`${line}\n`);
    }
  };

  const underWay = new Set<Promise<void>>();
  for await (const text of createInterface({ input: stdin })) {
    if (text.trim() !== '') {
      const sending = send(text).catch((error: unknown) => {
        stdout.write(`${JSON.stringify(failureOf(text, error))}\n`);
      });
      underWay.add(sending);
      void sending.then(() => underWay.delete(sending));
    }
  }
  await Promise.all(underWay);
}

function headersOf({ method, params }: Message, agreed: string | undefined): HeadersInit {
  const version = params?._meta?.[VERSION_KEY];
  const common = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (typeof version !== 'string') {
    return { ...common, ...(agreed !== undefined && { 'mcp-protocol-version': agreed }) };
  }
  return {
    ...common,
    'mcp-protocol-version': version,
    ...(method !== undefined && { 'mcp-method': method }),
    ...(typeof params?.name === 'string' && { 'mcp-name': params.name }),
  };
}

/** The messages of a response: one, those of a stream of events, or none. */
function linesOf(body: string, type: string): string[] {
  if (type.startsWith('text/event-stream')) {
    return body
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith('data:') ? line.slice(5).trim() : []));
  }
  const text = body.trim();
  return text === '' ? [] : [JSON.stringify(JSON.parse(text))];
}

function failureOf(text: string, error: unknown): object {
  let id: string | number | null = null;
  try {
    id = (JSON.parse(text) as Message).id ?? null;
  } catch {
    return { jsonrpc: '2.0', id, error: { code: -32_700, message: 'This is not JSON.' } };
  }
  const { message } = error as Error;
  return { jsonrpc: '2.0', id, error: { code: UNREACHABLE, message } };
}
