import { ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import { ValidationError } from 'class-validator';
import * as classValidator from 'class-validator';
import { ApiError, ErrorDetail } from './api-error';
import { readProblems } from './fields';

/** class-validator's name for a field that the DTO does not have. */
const UNKNOWN_FIELD = 'whitelistValidation';

function fieldPath(parent: string, property: string): string {
  if (parent === '') {
    return property;
  }
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

/** Every wrong field of a request, in the order of the DTO. */
function toDetails(errors: readonly ValidationError[], parent = ''): ErrorDetail[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = fieldPath(parent, property);
    const { nestedValidation: _, [UNKNOWN_FIELD]: unknown, ...own } = constraints;
    const problems =
      unknown === undefined
        ? readProblems(own)
        : [{ at: undefined, code: 'unknown_field', message: 'is not a field of this request' }];
    // What stands where an array belongs has no fields of its own to report.
    const isOtherType = problems.some(({ at, code }) => !at && code === 'invalid_type');
    return [
      ...problems.map(({ at = '', code, message }) => ({
        field: path + at,
        code,
        message: `${path}${at} ${message}.`,
      })),
      ...(isOtherType ? [] : toDetails(children, path)),
    ];
  });
}

function validationFailed(details: ErrorDetail[]): ApiError {
  const [first] = details;
  const more = details.length - 1;
  return new ApiError(
    'validation_failed',
    more > 0 && first !== undefined
      ? `${first.message} (and ${more} more)`
      : (first?.message ?? 'The request is not valid.'),
    details,
  );
}

/** Validates every request against its DTO; all wrong fields are reported at once. */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validatorPackage: classValidator,
      transformerPackage: classTransformer,
      exceptionFactory: (errors) => validationFailed(toDetails(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A body that is no object would be validated entry by entry, or not at all.
    if (
      metadata.type === 'body' &&
      value !== undefined &&
      (typeof value !== 'object' || value === null || Array.isArray(value))
    ) {
      throw validationFailed([
        { field: '', code: 'invalid_type', message: 'The request body must be a JSON object.' },
      ]);
    }
    return super.transform(value, metadata);
  }
}
