import type { Chapter, Page } from './layout';
import { renderMarkdown } from './markdown';
import { linksOf, SiteDocument, SiteFile } from './site-documents';

/** The documents in the menu. One that is not named here follows those about building. */
const START = ['README.md', 'docs/cli.md', 'docs/client-guide.md', 'clients/typescript/README.md'];
const OPERATION = [
  'docs/configuration.md',
  'docs/postgresql.md',
  'docs/docker.md',
  'docs/operations.md',
  'docs/runbooks/README.md',
  'docs/faults.md',
  'docs/scaling.md',
  'docs/list-plans.md',
  'docs/secrets.md',
  'docs/security.md',
];
const CODE = [
  'CONTRIBUTING.md',
  'docs/code.md',
  'docs/decisions/README.md',
  'bench/README.md',
  'CHANGELOG.md',
  'LICENSE',
];

const isPart = ({ file }: SiteDocument) =>
  /^(docs\/decisions|docs\/runbooks|bench\/results)\/(?!README)/.test(file);
const isFirst = ({ file }: SiteDocument) => file.startsWith('docs/first-');

/** One page for each document, with the pictures that it shows. */
export function guidePages(
  documents: readonly SiteDocument[],
  pictures: readonly SiteFile[],
): Page[] {
  const known = [...documents, ...pictures];
  return documents.map((document) => ({
    url: document.url,
    title: document.title,
    content: () => <article>{renderMarkdown(document.text, linksOf(document, known))}</article>,
  }));
}

/** The documents of someone's first hour. */
export function firstGuides(documents: readonly SiteDocument[]): SiteDocument[] {
  return documents.filter(isFirst);
}

/** The menu's parts that lead to documents. */
export function guideChapters(documents: readonly SiteDocument[]): Chapter[] {
  const named = new Set([...START, ...OPERATION, ...CODE]);
  const pick = (files: readonly string[]) =>
    files.flatMap((file) => documents.filter((document) => document.file === file));
  const building = documents.filter(
    (document) => !named.has(document.file) && !isPart(document) && !isFirst(document),
  );
  return [
    { title: 'Start', links: [...firstGuides(documents), ...pick(START)] },
    { title: 'Build', links: building },
    { title: 'Operate', links: pick(OPERATION) },
    { title: 'Contribute', links: pick(CODE) },
  ];
}
