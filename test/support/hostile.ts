import { connect } from 'node:net';
import { DocumentedOperation } from './document';
import { BROKEN, CONTENT_TYPES, HEADERS, PATH_PARTS, QUERIES, VALUES } from './hostile-values';

/** A generator of integers below a bound, repeatable with its seed. */
export class Chance {
  constructor(private state: number) {}

  below(bound: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound;
  }

  of<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.below(choices.length))]!;
  }
}

function hostileBody(example: Record<string, unknown>, chance: Chance): string | Buffer {
  const members = Object.entries(example).map(
    ([name, value]) => [JSON.stringify(name), JSON.stringify(value)] as [string, string],
  );
  const member = chance.of(members.length === 0 ? [['"a"', '1'] as [string, string]] : members);
  const text = () => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`;
  switch (Math.floor(chance.below(8))) {
    case 0:
      return chance.of(BROKEN);
    case 1: {
      const whole = text();
      return whole.slice(0, Math.floor(chance.below(whole.length)));
    }
    case 2: // A repeated field, and one named like a built-in member.
      members.push([member[0], chance.of(VALUES)]);
      break;
    case 3:
      members.push([
        chance.of(['"__proto__"', '"constructor"', '""', '"\\u0000"', '"\\ud800"', '"a.b"']),
        chance.of(VALUES),
      ]);
      break;
    case 4: {
      const bytes = Buffer.from(text());
      bytes[Math.floor(chance.below(bytes.length))] = Math.floor(chance.below(256));
      return bytes;
    }
    default:
      member[1] = chance.of(VALUES);
  }
  return text();
}

/** A hostile request as the bytes of HTTP/1.1. */
export function hostileRequest(
  { method, path, body }: DocumentedOperation,
  credential: Record<string, string>,
  chance: Chance,
): Buffer {
  const url = path.replaceAll(/\{\w+\}/g, () => chance.of(PATH_PARTS));
  const target = url + (body === undefined ? chance.of(QUERIES) : '');
  const payload = body === undefined ? Buffer.alloc(0) : Buffer.from(hostileBody(body, chance));
  const headers: [string, string][] = [
    ['host', 'test'],
    ['connection', 'close'],
    ...Object.entries(credential),
  ];
  const oddity = Math.floor(chance.below(12));
  if (payload.length > 0 || body !== undefined) {
    headers.push(['content-type', oddity === 0 ? chance.of(CONTENT_TYPES) : 'application/json']);
    if (oddity === 1) {
      headers.push(['transfer-encoding', chance.of(['chunked', 'identity', 'chunked, gzip', 'x'])]);
    }
    const length = oddity === 2 ? Math.floor(chance.below(payload.length * 2)) : payload.length;
    headers.push([
      'content-length',
      oddity === 3 ? chance.of(['-1', '1e3', '0x10', '', '9'.repeat(30)]) : String(length),
    ]);
    if (oddity === 4) {
      headers.push(['content-length', String(length + 1)]);
    }
  }
  if (oddity > 5) {
    headers.push(['x-filler', 'x'], [...chance.of(HEADERS)]);
  }
  const verb =
    oddity === 5
      ? chance.of(['get', 'TRACE', 'PROPFIND', 'X', 'DELETE', 'HEAD', 'OPTIONS'])
      : method;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`${verb} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'),
    payload,
  ]);
}

/** Milliseconds without a response after which sending ends: longer than any response takes. */
const SILENCE = 1_000;

/**
 * Sends bytes and waits until the service has closed the connection. It ends its side only after a
 * response or a silence, because Node treats a client that ends at once as gone and drops a
 * response that is not ready by then. A truncated request gets no response before its end.
 *
 * @returns the status of the first response; 0 if the connection was closed without one
 */
export function sendRaw(url: string, bytes: Buffer, limit: number): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setTimeout(limit, () => {
      socket.destroy();
      reject(new Error(`no end within ${limit} ms of: ${bytes.toString('latin1', 0, 600)}`));
    });
    socket.setEncoding('latin1');
    const silence = setTimeout(() => socket.end(), SILENCE);
    socket.on('data', (chunk: string) => {
      answer += answer.length < 20 ? chunk : '';
      socket.end();
    });
    // The connection of a refused body may be reset; a response received before it counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(silence);
      resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0));
    });
    socket.write(bytes);
  });
}
