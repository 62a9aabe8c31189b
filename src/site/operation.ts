import type { OpenAPIObject } from '@nestjs/swagger';
import { isObject, Json, Schema } from '../openapi/json-schema';
import { codeSamples } from './code-samples';
import { fieldList } from './field-list';
import { Field, FieldReader, textOf } from './fields';
import { html, Html } from './html';
import { renderInline, renderMarkdown } from './markdown';
import { credentialOf, Operation, resolve, sampleRequest } from './sample-request';

/** An operation, and where it is in the document. */
export interface PlacedOperation {
  document: OpenAPIObject;
  fields: FieldReader;
  method: string;
  path: string;
  operation: Operation;
  /** Whether it is a request that the service sends. */
  isSent: boolean;
}

const JSON_TYPE = 'application/json';

/** The parameters of an operation, as fields. */
export function parameterFields({ document, fields, operation }: PlacedOperation): Field[] {
  return (operation.parameters ?? [])
    .map((parameter) => resolve(document, 'parameters', parameter))
    .map((parameter) => ({
      name: String(parameter.name),
      type: `${fields.typeOf(parameter.schema as Schema)} in the ${String(parameter.in)}`,
      required: parameter.required === true,
      description: textOf(parameter.description),
      limits: fields.limitsOf(parameter.schema as Schema),
      within: { fields: [], variants: [] },
    }));
}

/** The schema of the body of a request, if it has one. */
export function requestSchema({ operation }: PlacedOperation): Schema | undefined {
  return operation.requestBody?.content[JSON_TYPE]?.schema;
}

/** The schema of `data` in a success. */
export function dataSchema({ fields, operation }: PlacedOperation): Schema | undefined {
  const content = operation.responses['200']?.content as Record<string, Json> | undefined;
  const { properties } = fields.whole((content?.[JSON_TYPE]?.schema ?? {}) as Schema);
  return isObject(properties) && isObject(properties.data) ? properties.data : undefined;
}

function facts({ operation }: PlacedOperation): Html {
  const scopes = (name: string) => [operation[name] ?? []].flat().map(String);
  const needed = scopes('x-required-scopes');
  const test = scopes('x-test-key-scope');
  const all = (names: string[]) =>
    names.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`);
  return html`<p class="facts">
    Credential:
    ${credentialOf(operation)?.name ?? 'none'}${needed.length > 0 && html` with the scope ${all(needed)}`}${
      test.length > 0 && html`; or a test key with ${all(test)}`
    }.
  </p>`;
}

function errors({ document, operation }: PlacedOperation): Html {
  const all = Object.entries(operation.responses)
    .filter(([status]) => status !== '200')
    .map(([status, entry]) => [status, resolve(document, 'responses', entry)] as const);
  const own = all.filter(([, response]) => response['x-common'] !== true);
  const common = all.filter(([, response]) => response['x-common'] === true);
  const codes = ([, { description }]: (typeof all)[number]) =>
    [...String(description).matchAll(/^- `(\w+)`: (.*)$/gm)].map(
      ([, code = '', advice = '']) => [code, advice] as const,
    );
  const link = (code: string) => html`<a href="/guides/errors#${code}"><code>${code}</code></a>`;
  return html`<ul class="errors">
      ${own.map(
        (entry) =>
          html`${codes(entry).map(
            ([code, advice]) => html`<li>${entry[0]} ${link(code)}: ${renderInline(advice)}</li> `,
          )}`,
      )}
    </ul>
    ${
      common.length > 0 &&
      html`<details>
        <summary>Errors that most operations can return</summary>
        <p class="codes">
          ${common
            .flatMap((entry) => codes(entry).map(([code]) => [entry[0], code] as const))
            .map(([status, code]) => html`<span>${status} ${link(code)}</span> `)}
        </p>
      </details>`
    }`;
}

/** The samples in each language; one is shown at a time. */
function samples({ document, method, path, operation }: PlacedOperation): Html {
  const id = operation.operationId;
  const each = codeSamples(sampleRequest(document, method, path, operation));
  return html`<fieldset class="languages">
      <legend>Sample request</legend>
      ${each.map(
        ({ label }, index) =>
          html`<label
            ><input
              type="radio"
              name="${id}-language"
              value="${label}"
              ${index === 0 && html` checked`}
            />
            ${label}</label
          > `,
      )}
    </fieldset>
    ${each.map(
      ({ label, source }) =>
        html`<pre
          class="sample"
          data-language="${label}"
          data-operation="${id}"
        ><code>${source}</code></pre> `,
    )}`;
}

function examples(content: unknown, title: string): Html | undefined {
  const media = isObject(content) && isObject(content[JSON_TYPE]) ? content[JSON_TYPE] : {};
  const named = Object.entries((media.examples ?? {}) as Record<string, { value: Json }>);
  const [first] = named;
  return (
    first &&
    html`<details open>
      <summary>${title}${named.length > 1 && html` (<code>${first[0]}</code>)`}</summary>
      <pre><code>${JSON.stringify(first[1].value, null, 2)}</code></pre>
    </details> `
  );
}

/** Describes an operation: a section of a page. */
export function operationSection(placed: PlacedOperation): Html {
  const { fields, method, path, operation } = placed;
  const id = operation.operationId;
  const parameters = parameterFields(placed);
  const body = requestSchema(placed);
  const data = dataSchema(placed);
  const success = operation.responses['200'];
  return html`<section class="operation" id="${id}">
    <div>
      <h2><a href="#${id}">${operation.summary}</a></h2>
      <p class="route"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
      ${renderMarkdown(operation.description ?? '')} ${facts(placed)}
      ${
        parameters.length > 0 &&
        html`<h3>Parameters</h3>
          ${fieldList({ fields: parameters, variants: [] }, `${id}.parameter`)}`
      }
      ${
        body !== undefined &&
        html`<h3>Request body</h3>
          ${fieldList(fields.shapeOf(body), `${id}.request`)}`
      }
      <h3>Response</h3>
      <p>${renderInline(textOf(success?.description))}</p>
      ${
        data !== undefined &&
        html`<details>
          <summary>Fields of <code>data</code></summary>
          ${fieldList(fields.shapeOf(data), `${id}.response`, false)}
        </details>`
      }
      <h3>Errors</h3>
      ${errors(placed)}
    </div>
    <div class="samples">${samples(placed)} ${examples(success?.content, 'Response')}</div>
  </section> `;
}

/** Describes a request that the service sends to its clients. */
export function sentRequestSection(placed: PlacedOperation): Html {
  const { fields, operation } = placed;
  const id = operation.operationId;
  const body = requestSchema(placed);
  return html`<section class="operation" id="${id}">
    <div>
      <h2><a href="#${id}">${operation.summary}</a></h2>
      <p class="route"><span class="method">POST</span> <code>the url of the webhook</code></p>
      ${renderMarkdown(operation.description ?? '')}
      <h3>Headers</h3>
      ${fieldList({ fields: parameterFields(placed), variants: [] }, `${id}.parameter`)}
      ${
        body !== undefined &&
        html`<h3>Body</h3>
          ${fieldList(fields.shapeOf(body), `${id}.request`)}`
      }
      <h3>Your response</h3>
      <ul>
        ${Object.entries(operation.responses).map(
          ([status, { description }]) =>
            html`<li><code>${status}</code>: ${renderInline(String(description))}</li> `,
        )}
      </ul>
    </div>
    <div class="samples">${examples(operation.requestBody?.content, 'Message')}</div>
  </section> `;
}
