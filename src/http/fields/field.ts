import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';

/*
 * What the field types of request DTOs are made of. Each decorator of this folder holds a field's
 * check, its normalisation and its place in the OpenAPI document together, so that they cannot
 * disagree.
 */

/** What is wrong with a value: a stable code for programs and words for people. */
export interface Problem {
  /** Where inside the field, such as `[1]`; absent for the field itself. */
  at?: string;
  code: string;
  message: string;
}

export type Check = (value: unknown, dto: object) => Problem[];

export interface Presence {
  /** Whether the field may be absent, or on what the rest of the DTO must be for that. */
  optional?: boolean | ((dto: object) => boolean);
  nullable?: boolean;
}

/** class-validator's name for the check of a {@link Field}. */
export const FIELD_CHECK = 'field';

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One problem, of the field itself unless `at` says where in it. */
export function problem(code: string, message: string, at?: string): Problem[] {
  return [{ at, code, message }];
}

/**
 * A field with a check of its own. The check is given the value and the whole DTO and answers
 * every problem at once; absence and `null` never reach it.
 */
export function Field(
  check: Check,
  documentation: ApiPropertyOptions,
  { optional = false, nullable = false }: Presence = {},
): PropertyDecorator {
  const find: Check = (value, dto) => {
    if (value === undefined) {
      return problem('required', 'is required');
    }
    if (value === null) {
      return nullable ? [] : problem('null_not_allowed', 'must not be null');
    }
    return check(value, dto);
  };
  return applyDecorators(
    ...(optional === false
      ? []
      : [
          ValidateIf(
            (dto: object, value) =>
              value !== undefined || (typeof optional === 'function' && !optional(dto)),
          ),
        ]),
    ValidateBy({
      name: FIELD_CHECK,
      // For `dto-rules.ts`, which wants to know what is wrong and not only whether.
      constraints: [find],
      validator: {
        validate: (value, args) => find(value, args?.object ?? {}).length === 0,
      },
    }),
    ApiProperty({
      ...documentation,
      ...(optional === false ? {} : { required: false }),
      ...(nullable ? { nullable: true } : {}),
    } as ApiPropertyOptions),
  );
}
