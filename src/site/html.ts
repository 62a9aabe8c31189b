/** A piece of HTML. Everything else is text, and escaped. */
export class Html {
  constructor(readonly source: string) {}

  toString(): string {
    return this.source;
  }
}

/** What a template accepts; `undefined` and `false` are left out. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function sourceOf(content: Content): string {
  if (content === undefined || content === false) {
    return '';
  }
  if (content instanceof Html) {
    return content.source;
  }
  return Array.isArray(content)
    ? content.map((part: Content) => sourceOf(part)).join('')
    : escapeHtml(String(content));
}

/** Fills a template. Text is escaped, also between the quotes of an attribute. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Html {
  return new Html(String.raw({ raw: parts }, ...contents.map(sourceOf)));
}
