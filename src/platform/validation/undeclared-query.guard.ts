import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { takesQuery } from '../private-members/nest';
import { shorten, unknownField } from './dto-rules';
import { InvalidRequest } from './validation.pipe';

/** The operations of the API. Whoever opens a page or checks the health may add parameters. */
const OPERATION = /^\/(api|svc)\//;

/**
 * Refuses every query parameter of an operation whose handler takes no query. The validation pipe
 * does not see them, because it is called only for the arguments that a handler declares.
 */
@Injectable()
export class UndeclaredQueryGuard implements CanActivate {
  /** @throws InvalidRequest with every parameter */
  canActivate(context: ExecutionContext): boolean {
    const { query, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const names = Object.keys(query as object);
    if (names.length > 0 && OPERATION.test(routeOptions.url ?? '') && !takesQuery(context)) {
      throw new InvalidRequest(names.map((name) => unknownField(shorten(name))));
    }
    return true;
  }
}
