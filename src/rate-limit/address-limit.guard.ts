import {
  applyDecorators,
  CanActivate,
  ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CanFailWith } from '../http/api-docs';
import { RateLimits } from './rate-limits.service';

type AddressPolicy = 'registrations' | 'logins';

const POLICY = 'addressPolicy';

@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await this.limits.admitAddress(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
      this.reflector.get<AddressPolicy>(POLICY, context.getHandler()),
    );
    return true;
  }
}

/** A public route with a tighter limit of its own: the guard and its documentation in one. */
export function LimitedByAddress(policy: AddressPolicy): MethodDecorator {
  return applyDecorators(
    SetMetadata(POLICY, policy),
    UseGuards(AddressLimitGuard),
    CanFailWith('rate_limited'),
  );
}
