import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './client';

/** Sends bytes that need not be HTTP, and reads the one answer until the service closes. */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string])),
    body: JSON.parse(body),
  };
}

/** Posts a body in chunks, so that its length is not known beforehand. */
export async function postInChunks(
  url: string,
  headers: Readonly<Record<string, string>>,
  chunks: readonly string[],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      text(response).then((body) => {
        resolve({
          status: response.statusCode!,
          headers: new Headers(response.headers as Record<string, string>),
          body: JSON.parse(body),
        });
      }, reject);
    });
    sent.on('error', reject);
    for (const chunk of chunks) {
      sent.write(chunk);
    }
    sent.end();
  });
}
