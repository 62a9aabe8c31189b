import { applyDecorators } from '@nestjs/common';
import { AddRouteConfig } from '../protocol/add-route-config';
import { CanFailWith } from '../openapi/responds-with';
import type { AddressPolicy } from './policies';

/** A route with a limit by address of its own: the limit and its documentation. */
export function LimitedByAddress(policy: AddressPolicy): MethodDecorator {
  return applyDecorators(AddRouteConfig({ addressLimit: policy }), CanFailWith('rate_limited'));
}

/** A route without limits: a load balancer would take a refused health check for a failure. */
export function Unlimited(): MethodDecorator {
  return AddRouteConfig({ addressLimit: false });
}
