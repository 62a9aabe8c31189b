import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';
import { Content, renderPage } from './html';
import { pictureSources } from './picture-sources';

/** A page with the headers that it needs besides those of every response. */
export interface RenderedPage {
  /** 200 by default. */
  status?: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Sends the head of a page, and returns its content. */
export function sendPage(reply: FastifyReply, { status = 200, headers, text }: RenderedPage) {
  void reply.status(status).headers(headers);
  return text;
}

interface Layout {
  title: string;
  content: Content;
  /** BCP 47. */
  language?: string;
  direction?: 'ltr' | 'rtl';
  /** With the script and an icon. A page without them is the same at any depth of the path. */
  isWhole?: boolean;
  /** URLs that the page shows pictures of. */
  pictures?: readonly string[];
}

const read = (file: string) => readFileSync(file, 'utf8').replaceAll(/\n +/g, '\n');
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The pages that secret links lead to: each contains its style sheet and script, no search engine
 * keeps it, and it loads nothing but the icon and the pictures from their own hosts.
 */
export class LinkedPages {
  private readonly styles: string;
  private readonly script: string | undefined;
  private readonly policy: readonly [before: string[], after: string[]];

  /**
   * @param script of pages that run one, and send forms to themselves; without it, nothing runs
   */
  constructor({ styles, script }: { styles: string; script?: string }) {
    this.styles = read(styles);
    this.script = script && read(script);
    this.policy = [
      [
        "default-src 'none'",
        `style-src ${sourceOf(this.styles)}`,
        ...(this.script === undefined
          ? []
          : [`script-src ${sourceOf(this.script)}`, "connect-src 'self'"]),
      ],
      ["base-uri 'none'", `form-action '${script ? 'self' : 'none'}'`, "frame-ancestors 'none'"],
    ];
  }

  render({
    title,
    content,
    language = 'en',
    direction,
    isWhole = false,
    pictures = [],
  }: Layout): RenderedPage {
    const [before, after] = this.policy;
    const images = ["img-src 'self'", ...pictureSources(pictures)].join(' ');
    return {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': [...before, images, ...after].join('; '),
        'x-robots-tag': 'noindex, nofollow, noarchive',
      },
      text: renderPage(
        <html lang={language} dir={direction}>
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="robots" content="noindex, nofollow, noarchive" />
            <title>{title}</title>
            {isWhole && <link rel="icon" href="../docs/favicon.svg" />}
            <style dangerouslySetInnerHTML={{ __html: this.styles }} />
          </head>
          <body>
            <main>{content}</main>
            {isWhole && this.script !== undefined && (
              <script dangerouslySetInnerHTML={{ __html: this.script }} />
            )}
          </body>
        </html>,
      ),
    };
  }

  /** The page in place of one whose link is wrong, revoked or expired: the same for all of them. */
  notFound(text: string): RenderedPage {
    const title = 'Page not found';
    const content = (
      <>
        <h1>{title}</h1>
        <p>{text}</p>
      </>
    );
    return { status: 404, ...this.render({ title, content }) };
  }

  /** The page in place of an error. */
  failure(title: string, text: string, requestId: string): RenderedPage {
    const content = (
      <>
        <h1>{title}</h1>
        <p>{text}</p>
        <p class="quiet">Request id: {requestId}</p>
      </>
    );
    return this.render({ title, content });
  }
}

/** When to try again, by the headers of an error. */
export function whenToTryAgain({ 'retry-after': seconds }: Readonly<Record<string, string>>) {
  return seconds === undefined ? 'Try again later.' : `Try again in ${seconds} s.`;
}
