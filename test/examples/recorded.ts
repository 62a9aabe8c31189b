import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { recordExamples } from '../../scripts/record-examples';
import { createTestDatabase, temporaryDirectory } from '../support/databases';
import { propertiesOf, resolve, Schema } from '../support/document';

const root = join(__dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

interface Shown {
  operationId: string;
  status: string;
  /** The path of the schema of a body in the document. */
  pointer: string;
  schema: any;
  /** Bodies by name: an error code, or the name of the request's example. */
  examples: Record<string, any>;
}

/** The examples of every response of the document. */
function shownExamples(document: any): Shown[] {
  const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).flatMap(([method, { operationId, responses }]) =>
      Object.entries<any>(responses).flatMap(([status, response]) => {
        const place = response.$ref ?? `#/paths/${escaped(path)}/${method}/responses/${status}`;
        const { 'application/json': json } = resolve(document, response).content;
        // A download has an example of its own, below.
        if (json === undefined) {
          return [];
        }
        const { schema, examples } = json;
        return {
          operationId,
          status,
          pointer: `${place}/content/application~1json/schema`,
          schema,
          examples: Object.fromEntries(
            Object.entries<any>(examples).map(([name, example]) => [
              name,
              resolve(document, example).value,
            ]),
          ),
        };
      }),
    ),
  );
}

describe('the examples of the OpenAPI document', () => {
  const document = read('openapi.json');
  const shown = shownExamples(document);

  it('come from a run of the service; `npm run openapi` records them', async () => {
    const database = await createTestDatabase();
    const { variables } = database;
    // The embedded database has one session, in which the errors of a busy database are provoked.
    const directory = 'DATA_DIR' in variables ? variables.DATA_DIR : temporaryDirectory();
    try {
      expect(await recordExamples(directory)).toEqual(
        read('src/platform/openapi/recorded-examples.json'),
      );
    } finally {
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    }
  }, 120_000);

  /** Checks values against the document, in which no schema allows additional fields. */
  function strictly(): Ajv2020 {
    const closed = structuredClone(document);
    for (const schema of Object.values<any>(closed.components.schemas)) {
      const isPart = ['SuccessEnvelope', 'ErrorEnvelope', 'ErrorBody'].some(
        (name) => closed.components.schemas[name] === schema,
      );
      if (!isPart && (schema.properties ?? schema.allOf) !== undefined) {
        schema.unevaluatedProperties = false;
      }
    }
    const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
    return ajv.addSchema({ ...closed, $id: 'document' });
  }

  it('of an export are lines of its schema, and the last one is true of the others', () => {
    const path = '/svc/campaign/{post_id}/responses/export';
    const { schema, example } =
      document.paths[path].get.responses['200'].content['application/x-ndjson'];
    const lines = example.trimEnd().split('\n');
    const rows = lines.map((line: string) => JSON.parse(line));
    const ajv = strictly();
    const validators = schema.contentSchema.oneOf.map(({ $ref }: { $ref: string }) =>
      ajv.compile({ $ref: `document${$ref}` }),
    );
    const kinds = rows.map((row: unknown) => validators.map((validate: any) => validate(row)));
    expect(kinds).toEqual([...lines.slice(1).map(() => [true, false]), [false, true]]);
    const before = lines.slice(0, -1).map((line: string) => `${line}\n`);
    const sha256 = createHash('sha256').update(before.join('')).digest('hex');
    expect(rows.at(-1)).toMatchObject({ count: before.length, sha256 });
  });

  it('match their schemas, without additional fields', () => {
    const ajv = strictly();
    for (const { operationId, status, pointer, examples } of shown) {
      const validate = ajv.compile({ $ref: `document${pointer}` });
      for (const [name, body] of Object.entries(examples)) {
        const valid = validate(body);
        expect([operationId, status, name, valid ? [] : validate.errors]).toEqual([
          operationId,
          status,
          name,
          [],
        ]);
      }
    }
  });

  it('include a success for each example of the request, and every code of each error', () => {
    for (const { operationId, status, schema, examples } of shown) {
      const names = Object.keys(examples);
      if (status === '200') {
        expect([operationId, names.length > 0]).toEqual([operationId, true]);
        continue;
      }
      const { error } = propertiesOf(document, schema);
      const codes = (error!.oneOf ?? [error!]).map(
        (body) => propertiesOf(document, body).code!.const,
      );
      expect([operationId, status, names]).toEqual([operationId, status, codes]);
      for (const [code, body] of Object.entries(examples)) {
        expect([operationId, body.error.code]).toEqual([operationId, code]);
      }
    }
  });

  it('name fields of their own operation if a body is invalid', () => {
    const invalid = shown.filter(({ examples }) => 'validation_failed' in examples);
    expect(invalid.length).toBeGreaterThan(20);
    for (const { operationId, examples } of invalid) {
      const { details } = examples.validation_failed.error;
      expect([operationId, details.length > 0]).toEqual([operationId, true]);
      const operation = Object.values<any>(document.paths)
        .flatMap((item) => Object.values<any>(item))
        .find((each) => each.operationId === operationId);
      const body = resolve(
        document,
        operation.requestBody?.content['application/json'].schema ?? {},
      );
      const known = [
        ...(body.oneOf ?? [body]).flatMap((each: Schema) =>
          Object.keys(propertiesOf(document, each)),
        ),
        ...(operation.parameters ?? []).map((each: any) => resolve(document, each).name),
      ];
      for (const { field, code } of details) {
        if (code === 'unknown_field') {
          continue;
        }
        expect([operationId, known]).toEqual([
          operationId,
          expect.arrayContaining([field.split(/[.[]/)[0]]),
        ]);
      }
    }
  });
});
