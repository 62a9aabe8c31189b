import { CampaignClient, type CallOptions, PlatformClient } from 'campaign-service-client';
import type { Readable, Writable } from 'node:stream';
import { VERSION } from './operations.js';
import { EXIT } from './exit-codes.js';
import { CommandError, type Failure } from './failure.js';
import { type Identity, identityOf } from './settings.js';
import { painter, type Painter } from './text.js';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** Everything outside that a command uses. */
export interface Surroundings {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Relative paths begin here. */
  cwd: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** One run of the program: what it calls the service with, and where it writes. */
export class Session {
  /** Colors for standard output, if it is a terminal. */
  readonly paint: Painter;
  /** Whether programs read the output. */
  json = false;
  exitCode: number = EXIT.done;

  constructor(readonly io: Surroundings) {
    this.paint = painter(io.stdout, io.env);
  }

  get identity(): Identity {
    return identityOf(this.io.env);
  }

  /** Ends calls with Ctrl-C. */
  get call(): CallOptions {
    return { signal: this.io.signal };
  }

  /** The address of the service, and the API key. */
  get login(): { url: string; apiKey: string } {
    const { url, apiKey } = this.identity;
    if (apiKey === undefined) {
      throw new CommandError(
        `No API key for ${url}.`,
        EXIT.credential,
        'Log in with one: campaign login. Without an account: campaign register.',
      );
    }
    return { url, apiKey };
  }

  /** A client with the API key. */
  client(): CampaignClient {
    const { url, apiKey } = this.login;
    return new CampaignClient({ ...this.#common(url), apiKey });
  }

  /** A client with the account token. */
  account(): CampaignClient {
    const { CAMPAIGN_TOKEN: accessToken } = this.io.env;
    if (!accessToken) {
      throw new CommandError(
        'This needs an account token.',
        EXIT.credential,
        'Set CAMPAIGN_TOKEN to the access_token of: campaign api logIn --email … (password asked for)',
      );
    }
    return new CampaignClient({ ...this.#common(this.identity.url), accessToken });
  }

  /** A client that calls only what needs no credential. */
  anonymous(): CampaignClient {
    const accessToken = () => {
      throw new CommandError('This call has no credential.', EXIT.credential);
    };
    return new CampaignClient({ ...this.#common(this.identity.url), accessToken });
  }

  /** A client with the key of a platform, or with a company's test key. */
  platform(): PlatformClient {
    const { url, apiKey } = this.identity;
    const platformKey = this.io.env.CAMPAIGN_PLATFORM_KEY || apiKey;
    if (platformKey === undefined) {
      throw new CommandError(
        'This needs the key of a platform.',
        EXIT.credential,
        "Set CAMPAIGN_PLATFORM_KEY to one, or to a company's test key.",
      );
    }
    return new PlatformClient({ ...this.#common(url), platformKey });
  }

  #common(baseUrl: string) {
    const line = (text: string) => this.note(text);
    return {
      baseUrl,
      appInfo: { name: 'campaign-cli', version: VERSION },
      logger: { debug: line, info: line, warn: line, error: line },
    };
  }

  /** Writes lines for people to standard output. */
  print(...lines: string[]): void {
    this.io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Writes a line about the work to standard error. */
  note(line: string): void {
    this.io.stderr.write(`${line}\n`);
  }

  /** Says what to do next; not to programs. */
  next(line: string): void {
    if (!this.json) {
      this.print('', `${this.paint.dim('Next:')} ${line}`);
    }
  }

  /** The result of a command: JSON for programs, otherwise lines for people. */
  result(data: unknown, lines: () => string[]): void {
    if (this.json) {
      this.io.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
    } else {
      this.print(...lines());
    }
  }

  /** Replaces the line of progress on a terminal; an empty one removes it. */
  progress(line: string): void {
    const { stderr } = this.io;
    if (stderr.isTTY === true && !this.json) {
      stderr.write(`\r\x1b[K${line}`);
    }
  }

  fail({ exitCode, error }: Failure): void {
    this.progress('');
    this.exitCode = exitCode;
    if (this.json) {
      this.note(JSON.stringify({ error }));
      return;
    }
    if (exitCode === EXIT.interrupted) {
      this.note('Interrupted.');
      return;
    }
    const red = painter(this.io.stderr, this.io.env).red;
    this.note(
      `${red('Error:')} ${error.message}${error.status === null ? '' : ` (${error.code})`}`,
    );
    // The message is about the only detail, if there is one.
    const details = error.details.length > 1 ? error.details : [];
    details.forEach(({ message }) => this.note(`  ${message}`));
    if (error.next !== null) {
      this.note(error.next);
    }
    if (error.status !== null && error.status >= 500) {
      this.note(`Request id: ${error.request_id}`);
    }
  }
}
