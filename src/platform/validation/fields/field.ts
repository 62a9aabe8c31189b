import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import type { DetailCode } from '../../protocol/detail-codes';

/*
 * The building blocks of the field types of request DTOs. Each decorator in this folder holds a
 * field's check, normalisation and documentation together, so that they cannot disagree.
 */

/** A problem of a value: a stable code for programs and a message for people. */
export interface Problem {
  /** The place in the field, such as `[1]`; absent for the field itself. */
  at?: string;
  code: DetailCode;
  message: string;
}

export type Check = (value: unknown, dto: object) => Problem[];

export interface Presence {
  /** Whether the field may be absent; a function decides from the rest of the DTO. */
  optional?: boolean | ((dto: object) => boolean);
  nullable?: boolean;
}

/** class-validator's name for the check of a {@link Field}. */
export const FIELD_CHECK = 'field';

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns one problem, of the field itself unless `at` names a place in it. */
export function problem(code: DetailCode, message: string, at?: string): Problem[] {
  return [{ at, code, message }];
}

/** Returns problems of a part of a value as those of the value; `at` is the place of the part. */
export function placed(at: string, problems: readonly Problem[]): Problem[] {
  return problems.map((each) => ({ ...each, at: at + (each.at ?? '') }));
}

/**
 * A field with a check of its own. The check receives the value and the whole DTO and returns every
 * problem at once. It never receives `undefined` or `null`.
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
      // For `dto-rules.ts`, which needs the problems themselves.
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
