type Schema = Record<string, unknown>;

/** Makes a class's schema say what its decorators cannot. */
export type Refinement = (schema: Schema & { properties: Record<string, Schema> }) => Schema;

const refinements = new Map<string, Refinement>();

/**
 * Refines the schema of a DTO in the OpenAPI document, such as with a rule between its fields. The
 * validators hold the same rule; the contract test fails where the two differ.
 */
export function RefineSchema(refinement: Refinement): ClassDecorator {
  return (type) => {
    refinements.set(type.name, refinement);
  };
}

/** A DTO's schema, refined where the class says so. */
export function refineSchema(name: string, schema: Schema): Schema {
  const refinement = refinements.get(name);
  return refinement === undefined
    ? schema
    : refinement(schema as Schema & { properties: Record<string, Schema> });
}
