import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Flag } from '../validation/fields/choice.fields';
import type { Presence } from '../validation/fields/field';
import { Decimal, Money, WholeNumber } from '../validation/fields/number.fields';
import { Text } from '../validation/fields/text.fields';
import { Timestamp } from '../validation/fields/timestamp.field';
import { HttpUrl } from '../validation/fields/url.field';
import {
  ResponseFlag,
  ResponseInteger,
  ResponseMoney,
  ResponseNumber,
  ResponseText,
  ResponseTime,
  ResponseUrl,
} from './response-fields';

/*
 * The fields of a resource, each written once: its class is what responses show, and requests
 * derive from it. Swagger's `PartialType` cannot derive them, because a creation refuses the `null`
 * that removes a field in a change.
 */

/** The requests that can differ: a change is an update, or a document of the whole resource. */
type RequestKind = 'create' | 'change' | 'update' | 'document';

/** How a field differs in some requests: its description there, or options of its type. */
type Differences<Options> = Partial<
  Record<RequestKind, string | (Partial<Options> & { description?: string })>
>;

interface Field {
  property: string | symbol;
  isRequired: boolean;
  isNullable: boolean;
  decorate: (kinds: readonly RequestKind[], presence: Presence) => PropertyDecorator;
}

const fieldsByType = new WeakMap<object, Field[]>();

/**
 * Says what a field is in requests. A creation requires it, unless it is `optional` or, in changes,
 * `nullable`.
 *
 * @param type the field type
 * @param options those of the type, and how requests differ in them; without a description of its
 *   own, a request has that of the field
 */
export function InRequests<Options extends Presence | undefined>(
  type: (options: Options) => PropertyDecorator,
  options: NoInfer<NonNullable<Options> & Differences<NonNullable<Options>>>,
): PropertyDecorator {
  const { optional, nullable } = options;
  const decorate: Field['decorate'] = (kinds, presence) => {
    const { description, ...different } = kinds.reduce<{ description?: string }>((sum, kind) => {
      const difference = options[kind];
      return {
        ...sum,
        ...(typeof difference === 'string' ? { description: difference } : difference),
      };
    }, {});
    return applyDecorators(
      type({ ...options, ...different, ...presence }),
      ApiProperty({ description, nullable: presence.nullable }),
    );
  };
  const isNullable = nullable === true;
  const isRequired = !isNullable && optional !== true;
  return ({ constructor }, property) => {
    const fields = fieldsByType.get(constructor) ?? [];
    fieldsByType.set(constructor, [...fields, { property, isRequired, isNullable, decorate }]);
  };
}

/** What responses show of the field types. */
const RESPONSES = new Map<unknown, (options: never) => PropertyDecorator>([
  [Decimal, ResponseNumber],
  [Flag, () => ResponseFlag()],
  [HttpUrl, () => ResponseUrl()],
  [Money, () => ResponseMoney()],
  [Text, ResponseText],
  [Timestamp, () => ResponseTime()],
  [WholeNumber, ResponseInteger],
]);

/** A field that requests have, as {@link InRequests} says, and responses show. */
export function ResourceField<Options extends Presence | undefined>(
  type: (options: Options) => PropertyDecorator,
  options: NoInfer<NonNullable<Options> & Differences<NonNullable<Options>>>,
): PropertyDecorator {
  const shown = RESPONSES.get(type);
  if (shown === undefined) {
    throw new Error(`no response shows the field type ${type.name}`);
  }
  return applyDecorators(shown(options as never), InRequests(type, options));
}

/** The fields of a class, those that it inherits first. */
function fieldsOf(type: object | null): Field[] {
  return type === null
    ? []
    : [
        ...fieldsOf(Object.getPrototypeOf(type) as object | null),
        ...(fieldsByType.get(type) ?? []),
      ];
}

/** Returns the names of the fields that every creation requires, in their order. */
export function requiredFields<T extends object>(type: new () => T): (keyof T)[] {
  const required = fieldsOf(type).filter(({ isRequired }) => isRequired);
  return required.map(({ property }) => property as keyof T);
}

function requestOf(
  type: new () => object,
  kinds: readonly RequestKind[],
  presenceOf: (field: Field) => Presence,
): new () => object {
  class RequestDto extends type {}
  for (const field of fieldsOf(type)) {
    field.decorate(kinds, presenceOf(field))(RequestDto.prototype, field.property);
  }
  return RequestDto;
}

type Creation<T> = { [Name in keyof T as null extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as null extends T[Name] ? Name : never]?: NonNullable<T[Name]>;
};

/** Returns the base class of the request that creates a resource: it never has a `null`. */
export function CreationOf<T extends object>(type: new () => T): new () => Creation<T> {
  return requestOf(type, ['create'], ({ isRequired }) => ({
    optional: !isRequired,
    nullable: false,
  })) as new () => Creation<T>;
}

/** Returns the base class of a request that changes the fields it has. */
export function ChangeOf<T extends object>(
  type: new () => T,
  kind: 'update' | 'document',
): new () => Partial<T> {
  return requestOf(type, ['change', kind], ({ isNullable }) => ({
    optional: true,
    nullable: isNullable,
  }));
}
