import { SCHEMAS } from './json-schema';

type Schema = Record<string, unknown>;

/** Adds to a schema what the decorators of its class cannot express. */
export type Refinement = (schema: Schema & { properties: Record<string, Schema> }) => Schema;

const refinements = new Map<string, Refinement>();

/**
 * Refines the schema of a DTO in the OpenAPI document, for example with a rule between its fields.
 * The validators have the same rule; the contract test fails if the two differ.
 */
export function RefineSchema(refinement: Refinement): ClassDecorator {
  return (type) => {
    refinements.set(type.name, refinement);
  };
}

/**
 * Describes a DTO that can be filled in in several ways: one schema for each, by its name. A way
 * requires its own fields and excludes those of the others; all other fields belong to every way.
 */
export function oneOfWays(
  ways: Readonly<Record<string, { description: string; fields: readonly string[] }>>,
): Refinement {
  const owned = new Set(Object.values(ways).flatMap(({ fields }) => fields));
  return ({ properties, required = [], description: _, ...schema }) => ({
    oneOf: Object.keys(ways).map((name) => ({ $ref: SCHEMAS + name })),
    $defs: Object.fromEntries(
      Object.entries(ways).map(([name, { description, fields }]) => [
        name,
        {
          ...schema,
          description,
          properties: Object.fromEntries(
            Object.entries(properties).filter(
              ([field]) => fields.includes(field) || !owned.has(field),
            ),
          ),
          required: [...(required as string[]), ...fields],
        },
      ]),
    ),
  });
}

/** Returns a DTO's schema, refined if its class declares that. */
export function refineSchema(name: string, schema: Schema): Schema {
  const refinement = refinements.get(name);
  return refinement === undefined
    ? schema
    : refinement(schema as Schema & { properties: Record<string, Schema> });
}
