import type { OpenAPIObject } from '@nestjs/swagger';
import { isObject, Json, Schema } from '../openapi/json-schema';
import { codeSamples } from './code-samples';
import { FieldList } from './field-list';
import { Field, FieldReader, textOf } from './fields';
import type { Content } from './html';
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

function Facts({ operation }: PlacedOperation) {
  const scopes = (name: string) => [operation[name] ?? []].flat().map(String);
  const needed = scopes('x-required-scopes');
  const test = scopes('x-test-key-scope');
  const all = (names: string[]) =>
    names.map((name, index) => [index > 0 && ', ', <code>{name}</code>]);
  return (
    <p class="facts">
      Credential: {credentialOf(operation)?.name ?? 'none'}
      {needed.length > 0 && [' with the scope ', all(needed)]}
      {test.length > 0 && ['; or a test key with ', all(test)]}.
    </p>
  );
}

/** The errors of an operation; most operations can return those that are common. */
export function errorsOf({ document, operation }: PlacedOperation) {
  return Object.entries(operation.responses)
    .filter(([status]) => status !== '200')
    .map(([status, entry]) => [status, resolve(document, 'responses', entry)] as const)
    .flatMap(([status, { description, 'x-common': isCommon }]) =>
      [...String(description).matchAll(/^- `(\w+)`: (.*)$/gm)].map(
        ([, code = '', advice = '']) => ({ status, code, advice, isCommon: isCommon === true }),
      ),
    );
}

function Errors(placed: PlacedOperation) {
  const all = errorsOf(placed).map(({ status, code, ...error }) => ({
    ...error,
    name: [status, ' ', <a href={`/guides/errors#${code}`}>{<code>{code}</code>}</a>],
  }));
  const common = all.filter(({ isCommon }) => isCommon);
  return (
    <>
      <ul class="errors">
        {all
          .filter(({ isCommon }) => !isCommon)
          .map(({ name, advice }) => (
            <li>
              {name}: {renderInline(advice)}
            </li>
          ))}
      </ul>
      {common.length > 0 && (
        <details>
          <summary>Errors that most operations can return</summary>
          <p class="codes">{common.map(({ name }) => [<span>{name}</span>, ' '])}</p>
        </details>
      )}
    </>
  );
}

/** The samples in each language; one is shown at a time. */
function Samples({ document, method, path, operation }: PlacedOperation) {
  const id = operation.operationId;
  const samples = codeSamples(sampleRequest(document, method, path, operation));
  return (
    <>
      <fieldset class="languages">
        <legend>Sample request</legend>
        {samples.map(({ label }, index) => (
          <>
            <label>
              <input type="radio" name={`${id}-language`} value={label} checked={index === 0} />{' '}
              {label}
            </label>{' '}
          </>
        ))}
      </fieldset>
      {samples.map(({ label, source }) => (
        <pre class="sample" data-language={label} data-operation={id}>
          <code>{source}</code>
        </pre>
      ))}
    </>
  );
}

/** The first one of the examples of a body. */
function Example({ content, title }: { content: unknown; title: string }) {
  const media = isObject(content) && isObject(content[JSON_TYPE]) ? content[JSON_TYPE] : {};
  const named = Object.entries((media.examples ?? {}) as Record<string, { value: Json }>);
  const [first] = named;
  return (
    first && (
      <details open>
        <summary>
          {title}
          {named.length > 1 && [' (', <code>{first[0]}</code>, ')']}
        </summary>
        <pre>
          <code>{JSON.stringify(first[1].value, null, 2)}</code>
        </pre>
      </details>
    )
  );
}

interface SectionContent {
  operation: Operation;
  /** The method and the path. */
  route: readonly [method: string, path: Content];
  samples: Content;
  children: Content;
}

/** A section of a page: a text, and samples beside it. */
function Section({ operation, route: [method, path], samples, children }: SectionContent) {
  const { operationId: id, summary, description = '' } = operation;
  return (
    <section class="operation" id={id}>
      <div>
        <h2>
          <a href={`#${id}`}>{summary}</a>
        </h2>
        <p class="route">
          <span class="method">{method}</span> <code>{path}</code>
        </p>
        {renderMarkdown(description)}
        {children}
      </div>
      <div class="samples">{samples}</div>
    </section>
  );
}

/** Describes an operation. */
export function OperationSection(placed: PlacedOperation) {
  const { fields, method, path, operation } = placed;
  const id = operation.operationId;
  const parameters = parameterFields(placed);
  const body = requestSchema(placed);
  const data = dataSchema(placed);
  const success = operation.responses['200'];
  const samples = [
    <Samples {...placed} />,
    <Example content={success?.content} title="Response" />,
  ];
  return (
    <Section operation={operation} route={[method.toUpperCase(), path]} samples={samples}>
      <Facts {...placed} />
      {parameters.length > 0 && <h3>Parameters</h3>}
      <FieldList fields={parameters} variants={[]} parent={`${id}.parameter`} />
      {body && <h3>Request body</h3>}
      {body && <FieldList {...fields.shapeAt(`${id}.request`, body)} />}
      <h3>Response</h3>
      <p>{renderInline(textOf(success?.description))}</p>
      {data && (
        <details>
          <summary>
            Fields of <code>data</code>
          </summary>
          <FieldList {...fields.shapeAt(`${id}.response`, data)} isSent={false} />
        </details>
      )}
      <h3>Errors</h3>
      <Errors {...placed} />
    </Section>
  );
}

/** Describes a request that the service sends to its clients. */
export function SentRequestSection(placed: PlacedOperation) {
  const { fields, operation } = placed;
  const id = operation.operationId;
  const body = requestSchema(placed);
  const sample = <Example content={operation.requestBody?.content} title="Message" />;
  return (
    <Section operation={operation} route={['POST', 'the url of the webhook']} samples={sample}>
      <h3>Headers</h3>
      <FieldList fields={parameterFields(placed)} variants={[]} parent={`${id}.parameter`} />
      {body && <h3>Body</h3>}
      {body && <FieldList {...fields.shapeAt(`${id}.request`, body)} />}
      <h3>Your response</h3>
      <ul>
        {Object.entries(operation.responses).map(([status, { description }]) => (
          <li>
            <code>{status}</code>: {renderInline(String(description))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
