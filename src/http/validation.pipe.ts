import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, ValidationError } from 'class-validator';
import { ApiError, ErrorDetail, summarize } from './api-error';
import { readProblems } from './fields/field';

/** class-validator's name for a field that the DTO does not have. */
const UNKNOWN_FIELD = 'whitelistValidation';

/** Names that class-transformer drops in silence. */
const DROPPED_NAMES = ['constructor', '__proto__'];

/** The path of a property; digits are an array's index unless no array can have them. */
function fieldPath(parent: string, property: string, unknown = false): string {
  if (parent === '') {
    return property;
  }
  return /^\d+$/.test(property) && !unknown ? `${parent}[${property}]` : `${parent}.${property}`;
}

/** Every wrong field of a request, in the order of the DTO, after the fields it does not have. */
function toDetails(errors: readonly ValidationError[], parent = ''): ErrorDetail[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const { nestedValidation: _, [UNKNOWN_FIELD]: unknown, ...own } = constraints;
    const path = fieldPath(parent, property, unknown !== undefined);
    const problems =
      unknown === undefined
        ? readProblems(own)
        : [{ at: undefined, code: 'unknown_field', message: 'is not a field of this request' }];
    const details = problems.map(({ at = '', code, message }) => ({
      field: path + at,
      code,
      message: `${path}${at} ${message}.`,
    }));
    // class-validator also looks for the fields of an object in what should have been an array,
    // and the other way round.
    const wrongType = new Set(
      details.filter(({ code }) => code === 'invalid_type').map(({ field }) => field),
    );
    return [
      ...details,
      ...(wrongType.has(path)
        ? []
        : toDetails(
            children.filter((child) => !wrongType.has(fieldPath(path, child.property))),
            path,
          )),
    ];
  });
}

function validationFailed(details: ErrorDetail[]): ApiError {
  return new ApiError('validation_failed', summarize(details), details);
}

function unknownField(field: string): ErrorDetail {
  return {
    field,
    code: 'unknown_field',
    message: `${field} is not a field of this request.`,
  };
}

const RULES = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false } as const;

/**
 * Validates every request against its DTO; all wrong fields are reported at once. What is given to
 * a handler is an instance of the DTO.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** @throws ApiError `validation_failed` with every wrong field */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || metatype === undefined) {
      return value;
    }
    const fields = value ?? {};
    // A body that is no object would be validated entry by entry, or not at all.
    if (typeof fields !== 'object' || value === null || Array.isArray(fields)) {
      throw validationFailed([
        { field: '', code: 'invalid_type', message: 'The request body must be a JSON object.' },
      ]);
    }
    // A body with such names does not get this far.
    if (type === 'query') {
      const dropped = DROPPED_NAMES.filter((name) => Object.hasOwn(fields, name));
      if (dropped.length > 0) {
        throw validationFailed(dropped.map(unknownField));
      }
    }
    const dto: object = plainToInstance(metatype as new () => object, fields);
    const errors = validateSync(dto, RULES);
    if (errors.length > 0) {
      throw validationFailed(toDetails(errors));
    }
    return dto;
  }
}
