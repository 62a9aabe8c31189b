import { ResponseEnum } from '../../platform/openapi/response-fields';
import { MODES } from '../../platform/caller/environment.rules';

/** Whether something is live or test data. */
export function ResponseMode(): PropertyDecorator {
  return ResponseEnum(MODES, 'Mode');
}
