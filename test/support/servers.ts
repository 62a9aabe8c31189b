import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';

const DEPLOY = join(__dirname, '../../deploy');

/** The user and group `nobody`. */
const NOBODY = 65_534;

/** Replaces texts of an example in `deploy`, each of which it must have. */
export function example(file: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce(
    (text, [from, to]) => {
      expect(text).toContain(from);
      return text.replaceAll(from, to);
    },
    readFileSync(join(DEPLOY, file), 'utf8'),
  );
}

/** A server that a test runs, without privileges, in a directory of its own. */
export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

async function runServer(
  port: number,
  command: string,
  configuration: (folder: string) => string,
  argumentsFor: (folder: string, file: string) => string[],
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  const file = join(folder, 'server.conf');
  writeFileSync(file, configuration(folder));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY);
  }
  const child: ChildProcess = spawn(command, argumentsFor(folder, file), {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => (output += text.toString()));
  }
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await eventually(async () => {
      expect([child.exitCode, output]).toEqual([null, expect.any(String)]);
      await fetch(url);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** Runs nginx with the example for it, in front of a service. */
export const runNginx = (port: number, upstream: string): Promise<RunningServer> =>
  runServer(
    port,
    'nginx',
    (folder) => `
      daemon off; pid ${folder}/pid; error_log stderr;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi;
        scgi_temp_path ${folder}/scgi;
        ${example('nginx.conf', {
          'listen 443 ssl;': `listen 127.0.0.1:${port};`,
          'ssl_certificate ': '# ',
          'ssl_certificate_key ': '# ',
          '127.0.0.1:3000': new URL(upstream).host,
        })}
      }`,
    (folder, file) => ['-p', folder, '-e', 'stderr', '-c', file],
  );

/** Runs haproxy with the example for it, in front of two instances. */
export const runHaproxy = (port: number, one: string, two: string): Promise<RunningServer> =>
  runServer(
    port,
    'haproxy',
    () =>
      example('haproxy.cfg', {
        'bind :443 ssl crt /etc/ssl/private/example.com.pem': `bind 127.0.0.1:${port}`,
        '127.0.0.1:3000': new URL(one).host,
        '127.0.0.1:3001': new URL(two).host,
      }),
    (_, file) => ['-db', '-f', file],
  );
