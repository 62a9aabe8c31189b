import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** Where the documents are: beside `src`, and a copy of them beside the compiled `src`. */
const ROOT = join(__dirname, '../../..');

/** Documents outside `docs`: their names on the site, and titles where the heading says less. */
const OTHERS: Readonly<Record<string, readonly [name: string, title?: string]>> = {
  'README.md': ['overview', 'Overview'],
  'clients/typescript/README.md': ['typescript-sdk', 'TypeScript SDK'],
  'CONTRIBUTING.md': ['contributing'],
  'CHANGELOG.md': ['changelog'],
  'bench/README.md': ['bench'],
  LICENSE: ['license', 'License'],
};

/** Folders whose Markdown files are documents, and the part of their path that the site omits. */
const FOLDERS: Readonly<Record<string, string>> = {
  docs: 'docs/',
  'docs/decisions': 'docs/',
  'docs/runbooks': 'docs/',
  'bench/results': '',
};

/** Files of the repository that the service serves under another address. */
const SERVED: Readonly<Record<string, string>> = { 'openapi.json': '/openapi.json' };

/** A file of the repository that is on the site. */
export interface SiteFile {
  /** Its path in the repository. */
  file: string;
  url: string;
}

/** A Markdown document. */
export interface SiteDocument extends SiteFile {
  title: string;
  text: string;
}

function documentAt(file: string, name: string, title?: string): SiteDocument {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const [, heading] = /^# (.+)$/m.exec(text) ?? [];
  return {
    file,
    url: `/guides/${name}`,
    title: title ?? (heading ?? name).replaceAll('`', ''),
    // A license is not Markdown and has no heading.
    text: heading === undefined ? `# License\n\n${text}` : text,
  };
}

/** Reads every document. */
export function readDocuments(): SiteDocument[] {
  const found = Object.entries(FOLDERS).flatMap(([folder, hidden]) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
      .sort()
      .map((file) => {
        const name = file.slice(hidden.length).replace(/(\/README)?\.md$/, '');
        return documentAt(file, name.toLowerCase());
      }),
  );
  const others = Object.entries(OTHERS)
    .filter(([file]) => existsSync(join(ROOT, file)))
    .map(([file, names]) => documentAt(file, ...names));
  return [...found, ...others];
}

/** Finds every picture in `docs`. */
export function findPictures(): SiteFile[] {
  return readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.png'))
    .map((name) => posix.join(...name.split(sep)))
    .sort()
    .map((name) => ({ file: `docs/${name}`, url: `/guides/${name}` }));
}

/** Reads a picture. */
export function readPicture({ file }: SiteFile): Buffer {
  return readFileSync(join(ROOT, file));
}

/** Returns where a link of a document leads on the site; undefined if that is not on the site. */
export function linksOf(
  { file }: SiteDocument,
  known: readonly SiteFile[],
): (href: string) => string | undefined {
  return (href) => {
    if (/^(?:[a-z]+:|[#/])/.test(href)) {
      return href;
    }
    const [path = '', fragment] = href.split('#');
    const target = posix.join(posix.dirname(file), path);
    const url = known.find((each) => each.file === target)?.url ?? SERVED[target];
    return url === undefined || fragment === undefined ? url : `${url}#${fragment}`;
  };
}
