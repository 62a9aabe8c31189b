import { Json, Schema, SCHEMAS } from './json-schema';

/** A schema of an object. */
type ObjectSchema = Schema & { properties: Record<string, Schema> };

/** Adds to a schema what the decorators of its class cannot express. */
export type Refinement = (schema: ObjectSchema) => Schema;

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
 * Returns a schema of alternatives.
 *
 * @param variants with their names, and their values of `discriminator`
 * @param discriminator the field that tells them apart, if one does
 */
export function oneOf(
  variants: readonly (readonly [name: string, variant: Schema, value?: string])[],
  discriminator?: string,
): Schema {
  const mapping = variants.map(([name, , value]) => [value, SCHEMAS + name] as const);
  return {
    oneOf: variants.map(([name]) => ({ $ref: SCHEMAS + name })),
    ...(discriminator !== undefined && {
      discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) as Json },
    }),
    $defs: Object.fromEntries(variants),
  };
}

/**
 * Describes a DTO that can be filled in in several ways: one schema for each, by its name. A way
 * requires its own fields and excludes those of the others; all other fields belong to every way.
 */
export function oneOfVariants(
  ways: Readonly<Record<string, { description: string; fields: readonly string[] }>>,
): Refinement {
  const owned = new Set(Object.values(ways).flatMap(({ fields }) => fields));
  return ({ properties, required = [], description: _, ...schema }) =>
    oneOf(
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
    );
}

/** Returns a DTO's schema, refined if its class declares that. */
export function refineSchema(name: string, schema: Schema): Schema {
  return refinements.get(name)?.(schema as ObjectSchema) ?? schema;
}
