import type { OpenAPIObject } from '@nestjs/swagger';
import type { Topic } from '../openapi/document-content';
import type { Schemas } from '../openapi/json-schema';
import { LOCAL_ADDRESS } from './addressed-page';
import { FieldReader } from './fields';
import type { Link, Page } from './layout';
import { renderInline, renderMarkdown, slug } from './markdown';
import { OperationSection, PlacedOperation, SentRequestSection } from './operation';
import type { Operation } from './sample-request';

/** The operations on one resource. */
export interface Resource extends Topic {
  url: string;
  /** Also the requests that the service sends. */
  operations: PlacedOperation[];
}

type PathItems = Record<string, Record<string, Operation>>;

/** Returns the resources of the document, each with its operations. */
export function resourcesOf(document: OpenAPIObject): Resource[] {
  const fields = new FieldReader((document.components?.schemas ?? {}) as Schemas);
  const place = (items: PathItems, isSent: boolean): PlacedOperation[] =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        document,
        fields,
        method,
        path,
        operation,
        isSent,
      })),
    );
  const { paths, webhooks } = document as unknown as Record<'paths' | 'webhooks', PathItems>;
  const operations = [...place(paths, false), ...place(webhooks, true)];
  return (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    url: `/reference/${slug(name)}`,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function OperationLinks({ url, operations }: Resource) {
  return (
    <ul class="operations">
      {operations.map(({ method, operation }) => (
        <li>
          <span class="method">{method.toUpperCase()}</span>{' '}
          <a href={`${url}#${operation.operationId}`}>{operation.summary}</a>
        </li>
      ))}
    </ul>
  );
}

/** One page for each resource. */
export function resourcePages(resources: readonly Resource[]): Page[] {
  return resources.map((resource) => ({
    url: resource.url,
    title: resource.name,
    content: () => (
      <>
        <h1>{resource.name}</h1>
        <p>{renderInline(resource.description)}</p>
        <OperationLinks {...resource} />
        {resource.operations.map((each) =>
          each.isSent ? <SentRequestSection {...each} /> : <OperationSection {...each} />,
        )}
      </>
    ),
  }));
}

/** What applies to every operation, on one page. */
export function basicsPage(topics: readonly Topic[]): Page {
  const text = topics.map(({ name, description }) => `## ${name}\n\n${description}`).join('\n\n');
  return {
    url: '/reference/basics',
    title: 'Basics',
    content: () => (
      <>
        <h1>Basics</h1>
        {renderMarkdown(text)}
      </>
    ),
  };
}

const ENVIRONMENT = `export CAMPAIGN_URL=${LOCAL_ADDRESS}
export CAMPAIGN_TOKEN=…         # the access_token of your account
export CAMPAIGN_API_KEY=…       # csk_…
export CAMPAIGN_PLATFORM_KEY=…  # cpk_…, for platforms`;

/** The first page: what to read first, and every operation. */
export function homePage(
  title: string,
  resources: readonly Resource[],
  start: readonly Link[],
): Page {
  return {
    url: '/reference',
    title,
    content: () => (
      <>
        <h1>{title}</h1>
        <p>
          Run paid survey and advertisement campaigns from your own programs. Every page here can be
          read without JavaScript. To send requests from the browser, <a href="/docs">try it</a>; to
          generate a client, take the <a href="/openapi.json">OpenAPI document</a>.
        </p>
        <h2>Start here</h2>
        <ul>
          {start.map((page) => (
            <li>
              <a href={page.url}>{page.title}</a>
            </li>
          ))}
          <li>
            <a href="/reference/basics">Basics</a>: credentials, errors, retries, versions and
            limits
          </li>
        </ul>
        <h2>Samples</h2>
        <p>
          Samples are in curl, TypeScript and Python. They take the address of the service and your
          credentials from the environment, and work as they stand:
        </p>
        <pre>
          <code>{ENVIRONMENT}</code>
        </pre>
        <h2>Operations</h2>
        <div class="overview">
          {resources.map((resource) => (
            <section>
              <h3>
                <a href={resource.url}>{resource.name}</a>
              </h3>
              <p>{renderInline(resource.description)}</p>
              <OperationLinks {...resource} />
            </section>
          ))}
        </div>
      </>
    ),
  };
}
