import type { Topic } from '../openapi/document-content';
import { rootOf } from '../protocol/root-of';
import { codeSamples } from './code-samples';
import { sentence } from './field-list';
import type { Field, Shape } from './fields';
import { Chapter, Link, markdownUrl } from './layout';
import { dataSchema, errorsOf, parameterFields, PlacedOperation, requestSchema } from './operation';
import type { Resource } from './reference-pages';
import { credentialOf, sampleRequest } from './sample-request';
import { linksOf, SiteDocument, SiteFile } from './site-documents';

/** A page for programs that read. */
export interface TextPage {
  url: string;
  /** Returns Markdown; called once, at its first request. */
  text: () => string;
}

const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Where a link leads, whose text can be a picture. */
const TARGET = /(?<=\]\()[^)\s]+(?=\))/g;

/** Whether an address is that of a page, which is there as Markdown too. */
const isPage = (url: string) =>
  /^\/(?:guides|reference)(?:\/|#|$)/.test(url) && !url.includes('.png');

/**
 * Leads every link of a text to where it leads on the site, as Markdown if that is a page. A link
 * without a target there becomes its text.
 */
function linked(
  text: string,
  pageUrl: string,
  linkTo: (href: string) => string | undefined = (href) => href,
): string {
  return text
    .replaceAll(LINK, (link, label: string, href: string) =>
      linkTo(href) === undefined ? label : link,
    )
    .replaceAll(TARGET, (href) => {
      const target = linkTo(href) ?? href;
      const url = isPage(target) ? markdownUrl(target) : target;
      return url.replace(/^\//, rootOf(pageUrl));
    });
}

/** The documents as they are, with links that work on the site. */
export function guideTexts(
  documents: readonly SiteDocument[],
  pictures: readonly SiteFile[],
): TextPage[] {
  const known = [...documents, ...pictures];
  return documents.map((document) => ({
    url: markdownUrl(document.url),
    text: () => linked(document.text, document.url, linksOf(document, known)),
  }));
}

/** One page for each resource. */
export function resourceTexts(resources: readonly Resource[]): TextPage[] {
  return resources.map(({ url, name, description, operations }) => ({
    url: markdownUrl(url),
    text: () => {
      const sections = operations.map(operationText);
      return linked([`# ${name}`, description, ...sections].join('\n\n') + '\n', url);
    },
  }));
}

/** The first page, and what applies to every operation. */
export function homeTexts(
  title: string,
  resources: readonly Resource[],
  topics: readonly Topic[],
): TextPage[] {
  const home = '/reference';
  const basics = '/reference/basics';
  const list = resources.map(({ url, name, description, operations }) => {
    const links = operations.map(
      ({ method, path, isSent, operation: { operationId: id, summary } }) =>
        `- [${summary}](${url}#${id})${isSent ? '' : `: \`${method.toUpperCase()} ${path}\``}`,
    );
    return `## ${name}\n\n${description}\n\n${links.join('\n')}`;
  });
  return [
    {
      url: markdownUrl(home),
      text: () =>
        linked(
          `# ${title}\n\nEvery operation. Read [Basics](${basics}) first.\n\n${list.join('\n\n')}\n`,
          home,
        ),
    },
    {
      url: markdownUrl(basics),
      text: () =>
        linked(
          ['# Basics', ...topics.map((each) => `## ${each.name}\n\n${each.description}`)].join(
            '\n\n',
          ) + '\n',
          basics,
        ),
    },
  ];
}

/** Tells programs where everything is (https://llmstxt.org). */
export function llmsText(title: string, chapters: readonly Chapter[]): string {
  const lines = ({ url, title: name }: Link) => `- [${name}](${url})`;
  const parts = chapters.map(
    ({ title: name, links }) => `## ${name}\n\n${links.map(lines).join('\n')}`,
  );
  const text = `# ${title}

> Run paid survey and advertisement campaigns from your own programs, over HTTP, with the TypeScript
> SDK, or as an agent over the Model Context Protocol.

Every page of the documentation is Markdown at its address with \`.md\`. The
[OpenAPI document](/openapi.json) describes every operation, and the
[Arazzo document](/arazzo.json) the first hours as workflows; [Agents](/guides/agents) says how a
model uses the service.

${parts.join('\n\n')}
`;
  return linked(text, '/llms.txt');
}

function operationText(placed: PlacedOperation): string {
  const { document, method, path, operation, isSent } = placed;
  const { operationId: id, summary, description = '', responses } = operation;
  const route = isSent ? 'POST to the url of the webhook' : `\`${method.toUpperCase()} ${path}\``;
  const errors = errorsOf(placed).map(
    ({ status, code, advice, isCommon }) =>
      `- ${status} [\`${code}\`](/guides/errors#${code})${isCommon ? '' : `: ${advice}`}`,
  );
  const samples = isSent ? [] : codeSamples(sampleRequest(document, method, path, operation));
  return [
    `## ${summary}`,
    `\`${id}\`: ${route}${isSent ? '' : `. ${credentialText(placed)}`}`,
    description,
    ...part(isSent ? 'Headers' : 'Parameters', { fields: parameterFields(placed), variants: [] }),
    ...part('Request body', shapeOf(placed, requestSchema(placed))),
    ...part('Response', shapeOf(placed, dataSchema(placed)), String(responses['200']?.description)),
    ...(errors.length === 0 ? [] : [`### Errors of ${id}`, errors.join('\n')]),
    ...samples.slice(0, 1).map(({ source }) => `\`\`\`sh\n${source}\n\`\`\``),
  ].join('\n\n');

  function part(title: string, { fields, variants }: Shape, text?: string): string[] {
    const lines = [
      ...fieldLines(fields, ''),
      ...variants.flatMap(({ name, fields: own }) => [
        `- If it is a ${name.replace(/^a /, '')}:`,
        ...fieldLines(own, '  '),
      ]),
    ];
    return lines.length === 0 && text === undefined
      ? []
      : [`### ${title} of ${id}`, ...(text === undefined ? [] : [text]), lines.join('\n')];
  }
}

function shapeOf({ fields, operation }: PlacedOperation, schema = {}): Shape {
  return fields.shapeAt(operation.operationId, schema);
}

function credentialText({ operation }: PlacedOperation): string {
  const scopes = ((operation['x-required-scopes'] ?? []) as string[]).map((name) => `\`${name}\``);
  const needed = scopes.length === 0 ? '' : ` with the scope ${scopes.join(', ')}`;
  return `Credential: ${credentialOf(operation)?.name ?? 'none'}${needed}.`;
}

/** Lists fields, with those within them below them. */
function fieldLines(fields: readonly Field[], indent: string): string[] {
  return fields.flatMap(({ name, type, required, description, limits, within, sameAs }) => {
    const text = [
      description.replaceAll('\n', ' '),
      ...(limits.length === 0 ? [] : [`${sentence(limits)}.`]),
      ...(sameAs === undefined ? [] : [`As in \`${sameAs}\`.`]),
    ].filter((each) => each !== '');
    const head = `${indent}- \`${name}\` (${type}${required ? ', required' : ''})`;
    const inner = `${indent}  `;
    return [
      text.length === 0 ? head : `${head}: ${text.join(' ')}`,
      ...fieldLines(within.fields, inner),
      ...within.variants.flatMap((variant) => [
        `${inner}- If it is a ${variant.name.replace(/^a /, '')}:`,
        ...fieldLines(variant.fields, `${inner}  `),
      ]),
    ];
  });
}
