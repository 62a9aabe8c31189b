import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { ApiError, ErrorDetail, summarize } from '../protocol/api-error';
import { findWrongFields, MAX_DETAILS, shorten, toInstance, unknownField } from './dto-rules';

/** The refusal of a request that is wrong in itself. It names the first wrong fields. */
export class InvalidRequest extends ApiError {
  constructor(wrong: readonly ErrorDetail[]) {
    const details = wrong.slice(0, MAX_DETAILS);
    super('validation_failed', summarize(details), details);
  }
}

/** The refusal of a body, by the pipe. */
export class InvalidBody extends InvalidRequest {}

/**
 * Validates every request against its DTO and reports all wrong fields at once, up to a maximum. A
 * handler receives an instance of the DTO.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** @throws InvalidRequest with every wrong field */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom') {
      return value;
    }
    if (metatype === undefined) {
      throw new Error(`a handler takes a ${type} without a class to check it against`);
    }
    const Refusal = type === 'body' ? InvalidBody : InvalidRequest;
    const fields = value ?? {};
    // class-validator would check other values entry by entry, or not at all.
    if (typeof fields !== 'object' || value === null || Array.isArray(fields)) {
      throw new Refusal([
        { field: '', code: 'invalid_type', message: 'The request body must be a JSON object.' },
      ]);
    }
    const details: ErrorDetail[] = [];
    takeBuiltInNames(fields, '', details);
    const dto = toInstance(metatype as new () => object, fields);
    details.push(...findWrongFields(dto));
    if (details.length > 0) {
      throw new Refusal(details);
    }
    return dto;
  }
}

/**
 * Removes every field that has the name of a built-in member, such as `constructor`, and reports
 * it: in a DTO, it would take that member's place. The client chooses every name on the way to such
 * a field, so a long path is shortened.
 */
function takeBuiltInNames(value: object, path: string, details: ErrorDetail[]): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      if (typeof item === 'object' && item !== null) {
        takeBuiltInNames(item, `${path}[${index}]`, details);
      }
    });
    return;
  }
  const parent = path === '' ? '' : `${path}.`;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (name in Object.prototype) {
      details.push(unknownField(parent + name));
      Reflect.deleteProperty(value, name);
    } else if (typeof member === 'object' && member !== null) {
      takeBuiltInNames(member, shorten(parent + name), details);
    }
  }
}
