import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ErrorDetail } from './api-error';
import { Check, FIELD_CHECK, isPlainObject } from './fields/field';

/*
 * Runs the rules that class-validator holds of a DTO. Its own runner looks them up, sorts and copies
 * them for every object it is given, which takes longer than all the rules; here that is done once a
 * class. What it finds are details of our errors, so nothing has to be turned into them either.
 */

/** The rules of one property. */
interface PropertyRules {
  /** All must hold for the property to be looked at. */
  conditions: ((dto: object, value: unknown) => boolean)[];
  checks: Check[];
  /** Whether its objects have rules of their own. */
  nested: boolean;
}

type Rules = ReadonlyMap<string, PropertyRules>;

const rulesByType = new WeakMap<object, Rules>();

function rulesOf(type: new () => object): Rules {
  let rules = rulesByType.get(type);
  if (rules === undefined) {
    rules = readRules(type);
    rulesByType.set(type, rules);
  }
  return rules;
}

function readRules(type: new () => object): Rules {
  const storage = getMetadataStorage();
  const found = storage.getTargetValidationMetadatas(type, '', false, false);
  return new Map(
    Object.entries(storage.groupByPropertyName(found)).map(([property, metadatas]) => {
      const rules: PropertyRules = { conditions: [], checks: [], nested: false };
      for (const { name, type: kind, constraints } of metadatas) {
        if (kind === ValidationTypes.CONDITIONAL_VALIDATION) {
          rules.conditions.push(constraints[0] as PropertyRules['conditions'][0]);
        } else if (kind === ValidationTypes.NESTED_VALIDATION) {
          rules.nested = true;
        } else if (kind === ValidationTypes.CUSTOM_VALIDATION && name === FIELD_CHECK) {
          rules.checks.push(constraints[0] as Check);
        } else {
          throw new Error(`${type.name}.${property} has a rule that is not of a field: ${kind}`);
        }
      }
      return [property, rules];
    }),
  );
}

/**
 * Everything that is wrong with a DTO: the fields it does not have, then the others in its order,
 * each before what it contains.
 *
 * @param parent path of the DTO in the request, with the dot behind it
 */
export function findWrongFields(dto: object, parent = ''): ErrorDetail[] {
  const rules = rulesOf(dto.constructor as new () => object);
  const details: ErrorDetail[] = [];
  for (const property of Object.keys(dto)) {
    if (!rules.has(property)) {
      details.push(unknownField(parent + property));
    }
  }
  for (const [property, rule] of rules) {
    const value = (dto as Record<string, unknown>)[property];
    if (rule.conditions.every((condition) => condition(dto, value))) {
      details.push(...findWrong(dto, value, rule, parent + property));
    }
  }
  return details;
}

function findWrong(
  dto: object,
  value: unknown,
  { checks, nested }: PropertyRules,
  path: string,
): ErrorDetail[] {
  const details = checks.flatMap((check) =>
    check(value, dto).map(({ at = '', code, message }) => detail(path + at, code, message)),
  );
  // What is not of the right type has no fields to look for.
  if (nested && !details.some(({ field, code }) => field === path && code === 'invalid_type')) {
    for (const [item, itemPath] of objectsIn(value, path)) {
      details.push(...findWrongFields(item, `${itemPath}.`));
    }
  }
  return details;
}

/** A value that is an object, or those of an array, with their paths. */
function objectsIn(value: unknown, path: string): [object, string][] {
  const values: [unknown, string][] = Array.isArray(value)
    ? value.map((item: unknown, index) => [item, `${path}[${index}]`])
    : [[value, path]];
  return values.filter((each): each is [object, string] => isPlainObject(each[0]));
}

/** What is wrong with a field that a DTO does not have. */
export function unknownField(field: string): ErrorDetail {
  return detail(field, 'unknown_field', 'is not a field of this request');
}

function detail(field: string, code: string, message: string): ErrorDetail {
  return { field, code, message: `${field} ${message}.` };
}
