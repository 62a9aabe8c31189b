import { ResponseEnum } from '../openapi/response-fields';
import { MODES } from '../http/environment.rules';

/** Whether something is live or test data. */
export function ResponseMode(): PropertyDecorator {
  return ResponseEnum(MODES, 'Mode');
}
