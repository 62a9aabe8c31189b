import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Presence } from './field';

/*
 * The requests of a resource, derived from the class of its fields. That class is what responses
 * show; `@InRequests` says of each field what clients may send. Swagger's `PartialType` cannot
 * derive them: a creation refuses the `null` that removes a field in a change.
 */

/** The requests that can differ: a change is an update, or a document of the whole resource. */
type RequestKind = 'create' | 'change' | 'update' | 'document';

/** How a field differs in some requests: its description there, or options of its type. */
type Differences<Options> = Partial<
  Record<RequestKind, string | (Partial<Options> & { description?: string })>
>;

/** The presence of a field in a resource. */
type FieldPresence = Readonly<Record<'optional' | 'nullable', boolean>>;

interface RequestField {
  property: string | symbol;
  presence: FieldPresence;
  decorate: (kinds: readonly RequestKind[], presence: FieldPresence) => PropertyDecorator;
}

const fieldsByType = new WeakMap<object, RequestField[]>();

/**
 * Says what a field of a resource is in requests. A creation requires it, unless it is `optional`
 * or, in changes, `nullable`.
 *
 * @param type the field type
 * @param differences by request; the description is otherwise that of the field
 */
export function InRequests<Options extends Presence | undefined>(
  type: (options: Options) => PropertyDecorator,
  options: NoInfer<NonNullable<Options>>,
  differences: Differences<NoInfer<NonNullable<Options>>> = {},
): PropertyDecorator {
  const decorate: RequestField['decorate'] = (kinds, presence) => {
    const { description, ...different } = kinds.reduce<{ description?: string }>((sum, kind) => {
      const difference = differences[kind];
      return typeof difference === 'string'
        ? { ...sum, description: difference }
        : { ...sum, ...difference };
    }, {});
    return applyDecorators(
      type({ ...options, ...different, ...presence }),
      ApiProperty({ description, nullable: presence.nullable }),
    );
  };
  const presence = { optional: options.optional === true, nullable: options.nullable === true };
  return ({ constructor }, property) => {
    const fields = fieldsByType.get(constructor) ?? [];
    fieldsByType.set(constructor, [...fields, { property, presence, decorate }]);
  };
}

/** The fields of a class, those that it inherits first. */
function fieldsOf(type: object | null): RequestField[] {
  return type === null
    ? []
    : [
        ...fieldsOf(Object.getPrototypeOf(type) as object | null),
        ...(fieldsByType.get(type) ?? []),
      ];
}

/** Returns the names of the fields that every creation requires, in their order. */
export function requiredFields<T extends object>(type: new () => T): (keyof T)[] {
  return fieldsOf(type)
    .filter(({ presence: { optional, nullable } }) => !optional && !nullable)
    .map(({ property }) => property as keyof T);
}

/** A class without validators of its own would accept everything, so it is never a request. */
function requestOf(
  type: new () => object,
  kinds: readonly RequestKind[],
  presenceOf: (presence: FieldPresence) => FieldPresence,
): new () => object {
  class RequestDto extends type {}
  for (const { property, presence, decorate } of fieldsOf(type)) {
    decorate(kinds, presenceOf(presence))(RequestDto.prototype, property);
  }
  return RequestDto;
}

type Creation<T> = { [Name in keyof T as null extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as null extends T[Name] ? Name : never]?: NonNullable<T[Name]>;
};

/** Returns the base class of the request that creates a resource: it never has a `null`. */
export function CreationOf<T extends object>(type: new () => T): new () => Creation<T> {
  return requestOf(type, ['create'], ({ optional, nullable }) => ({
    optional: optional || nullable,
    nullable: false,
  })) as new () => Creation<T>;
}

/** Returns the base class of a request that changes the fields it has. */
export function ChangeOf<T extends object>(
  type: new () => T,
  kind: 'update' | 'document',
): new () => Partial<T> {
  return requestOf(type, ['change', kind], ({ nullable }) => ({ optional: true, nullable }));
}
