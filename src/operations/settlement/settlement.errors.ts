import { ApiError } from '../../platform/protocol/api-error';
import { REFERENCE_MAXIMUM } from './settlement.types';

export const settlementNotFound = () =>
  new ApiError('settlement_not_found', 'There is no settlement with this settlement_id.');

export const referenceInvalid = () =>
  new Error(`The reference has 1 to ${REFERENCE_MAXIMUM} characters.`);
