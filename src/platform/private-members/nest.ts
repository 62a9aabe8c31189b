import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';

/** Whether the handler of a request has an argument with `@Query()`. */
export function takesQuery(context: ExecutionContext): boolean {
  const declared = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  ) as object | undefined;
  return Object.keys(declared ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
