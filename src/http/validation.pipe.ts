import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ApiError, ErrorDetail, summarize } from './api-error';
import { findWrongFields, unknownField } from './dto-rules';

/** Names that class-transformer drops in silence. */
const DROPPED_NAMES = ['constructor', '__proto__'];

function validationFailed(details: ErrorDetail[]): ApiError {
  return new ApiError('validation_failed', summarize(details), details);
}

/**
 * Validates every request against its DTO; all wrong fields are reported at once. What is given to
 * a handler is an instance of the DTO.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** @throws ApiError `validation_failed` with every wrong field */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom') {
      return value;
    }
    if (metatype === undefined) {
      throw new Error(`a handler takes a ${type} without a class to check it against`);
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
    const wrong = findWrongFields(dto);
    if (wrong.length > 0) {
      throw validationFailed(wrong);
    }
    return dto;
  }
}
