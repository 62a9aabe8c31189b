import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const CONFIG = 'routeConfig';

/** Adds to `request.routeOptions.config`, where hooks read it. Nest's own decorator replaces it. */
export function AddRouteConfig(config: FastifyContextConfig): MethodDecorator {
  return <T>(
    controller: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    const handler = descriptor.value as object;
    const earlier = Reflect.getMetadata(CONFIG, handler) as FastifyContextConfig | undefined;
    const all = { ...earlier, ...config };
    Reflect.defineMetadata(CONFIG, all, handler);
    RouteConfig(all)(controller, name, descriptor);
  };
}
