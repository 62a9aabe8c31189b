import MarkdownIt from 'markdown-it';
import type { VNode } from 'preact';
import { rendered } from './html';

/** A heading, and the text below it up to the next one. */
export interface Section {
  level: number;
  /** The fragment that leads to it. */
  id: string;
  title: string;
  text: string;
}

interface Environment extends Record<PropertyKey, unknown> {
  /** Returns where a link leads, or undefined if the site does not have its target. */
  linkTo: (href: string) => string | undefined;
  ids: Set<string>;
  /** Whether each link that is still open is written. */
  open: boolean[];
}

/** What a rendering knows; the library passes it on without a type. */
const environmentOf = (env: unknown) => env as Environment;

const markdown = new MarkdownIt({ html: false });
const { rules } = markdown.renderer;
const { escapeHtml } = markdown.utils;

/** Returns the fragment that GitHub and other viewers give to a heading. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let count = 1; taken.has(id); count += 1) {
    id = `${wanted}-${count}`;
  }
  taken.add(id);
  return id;
}

type Token = MarkdownIt.Token;

/** What a rule gets: a token, its environment, those after it, and how it is usually written. */
type Rule = (token: Token, env: Environment, after: () => Token[], usual: () => string) => string;

function setRule(name: string, write: Rule): void {
  rules[name] = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const after = () => tokens.slice(index + 1);
    const usual = () => self.renderToken(tokens, index, options);
    return token === undefined ? '' : write(token, environmentOf(env), after, usual);
  };
}

// A link whose target the site does not have, such as a source file, stays text.
setRule('link_open', (token, { linkTo, open }, _after, usual) => {
  const target = linkTo(String(token.attrGet('href')));
  open.push(target !== undefined);
  if (target === undefined) {
    return '';
  }
  token.attrSet('href', target);
  return usual();
});
setRule('link_close', (_token, { open }) => (open.pop() === true ? '</a>' : ''));

// A picture that the site does not have is its description.
setRule('image', (token, { linkTo }) => {
  const source = linkTo(String(token.attrGet('src')));
  const description = escapeHtml(token.content);
  return source?.startsWith('/') === true
    ? `<img src="${escapeHtml(source)}" alt="${description}" loading="lazy">`
    : description;
});

// A wide table scrolls by itself, also with the keyboard.
setRule('table_open', () => '<div class="scroll" role="group" tabindex="0"><table>\n');
setRule('table_close', () => '</table></div>\n');
const alignment = (cell: Token) =>
  String(cell.attrGet('style')).includes('right') ? ' class="number"' : '';
setRule('th_open', (cell) => `<th scope="col"${alignment(cell)}>`);
setRule('td_open', (cell) => `<td${alignment(cell)}>`);

// A row about one code or field can be linked to by its name.
setRule('tr_open', (row, { ids }, after, usual) => {
  const tokens = after();
  const names = tokens
    .slice(
      0,
      tokens.findIndex(({ type }) => type === 'tr_close'),
    )
    .flatMap(({ children }) => (children?.length === 1 ? children : []))
    .filter(({ type, content }) => type === 'code_inline' && /^[a-z][a-z0-9_]*$/.test(content));
  const name = names[0]?.content;
  if (name !== undefined && !ids.has(name)) {
    ids.add(name);
    row.attrSet('id', name);
  }
  return usual();
});

setRule('fence', ({ info, content }) =>
  info.trim() === 'mermaid'
    ? sequence(content)
    : `<pre><code>${escapeHtml(content)}</code></pre>\n`,
);

/** Writes a sequence diagram of Mermaid as a list of its messages. */
function sequence(diagram: string): string {
  const names = new Map(
    [...diagram.matchAll(/^\s*participant (\w+) as (.+)$/gm)].map(([, id, name]) => [id, name]),
  );
  const name = (id = '') => escapeHtml(names.get(id) ?? id);
  const steps = [...diagram.matchAll(/^\s*(?:(\w+)-{1,2}>>(\w+)|Note over (\w+)): (.+)$/gm)].map(
    ([, from, to, at, text = '']) => {
      const where = at === undefined ? `${name(from)} to ${name(to)}` : name(at);
      return `<li><b>${where}:</b> ${escapeHtml(text)}</li>\n`;
    },
  );
  return `<ol class="sequence">\n${steps.join('')}</ol>\n`;
}

/**
 * Renders Markdown. HTML in it is shown as text.
 *
 * @param linkTo returns the address of a link, or undefined if the site does not have its target
 */
export function renderMarkdown(
  text: string,
  linkTo: Environment['linkTo'] = (href) => href,
): VNode {
  const env: Environment = { linkTo, ids: new Set(), open: [] };
  const { tokens } = parse(text, env);
  return rendered(markdown.renderer.render(tokens, markdown.options, env));
}

/** Returns the sections of a Markdown text. */
export function sectionsOf(text: string): Section[] {
  return parse(text, { linkTo: () => undefined, ids: new Set(), open: [] }).sections;
}

function parse(text: string, env: Environment): { tokens: Token[]; sections: Section[] } {
  const tokens = markdown.parse(text, env);
  const sections: Section[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plain(tokens[index + 1]?.children ?? []);
      const id = uniqueId(slug(title), env.ids);
      token.attrSet('id', id);
      sections.push({ level: Number(token.tag.slice(1)), id, title, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section !== undefined) {
        section.text += `${plain(token.children ?? [])} `;
      }
    }
  }
  return { tokens, sections };
}

/** Renders Markdown without blocks. */
export function renderInline(text: string): VNode {
  const env: Environment = { linkTo: (href) => href, ids: new Set(), open: [] };
  return rendered(markdown.renderInline(text, env));
}

function plain(tokens: readonly { type: string; content: string }[]): string {
  return tokens.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
}
