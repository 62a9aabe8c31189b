import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Answer } from './client';

/** Sends bytes that need not be HTTP and reads the response until the service closes. */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return answerOf(head, body);
}

/** Posts a body in chunks, without a Content-Length. */
export async function postInChunks(
  url: string,
  headers: Readonly<Record<string, string>>,
  chunks: readonly string[],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      text(response).then((body) => {
        const received = new Headers(response.headers as Record<string, string>);
        resolve(new Answer(response.statusCode!, received, JSON.parse(body)));
      }, reject);
    });
    sent.on('error', reject);
    for (const chunk of chunks) {
      sent.write(chunk);
    }
    sent.end();
  });
}

/**
 * Sends bytes and reads one response to its end, whether or not the request was complete and the
 * service keeps the connection open.
 */
export async function sendUnfinished(url: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8').write(bytes);
  let received = '';
  for await (const chunk of socket) {
    received += chunk as string;
    const answer = readAnswer(received);
    if (answer !== undefined) {
      return answer;
    }
  }
  throw new Error(`the connection ended after: ${received}`);
}

/** The response at the beginning of a text, once all of it is there. */
function readAnswer(received: string): Answer | undefined {
  const [head = '', body] = received.split('\r\n\r\n', 2);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return body === undefined || Buffer.byteLength(body) < Number(length ?? 0)
    ? undefined
    : answerOf(head, body);
}

function answerOf(head: string, body: string): Answer {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  return new Answer(Number(statusLine.split(' ')[1]), headers, JSON.parse(body));
}
