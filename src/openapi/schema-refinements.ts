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

/** Returns a DTO's schema, refined if its class declares that. */
export function refineSchema(name: string, schema: Schema): Schema {
  const refinement = refinements.get(name);
  return refinement === undefined
    ? schema
    : refinement(schema as Schema & { properties: Record<string, Schema> });
}
