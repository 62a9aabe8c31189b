import { ApiError, fieldError } from '../../platform/protocol/api-error';

/** A table that cannot be counted, because of one parameter. The message continues its name. */
export function tableNotPossible(parameter: string, message: string): ApiError {
  return fieldError(parameter, 'not_allowed', `${parameter} ${message}.`, 'crosstab_not_possible');
}
