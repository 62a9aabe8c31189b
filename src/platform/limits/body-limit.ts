import type { RouteOptions } from 'fastify';
import { AddRouteConfig } from '../protocol/add-route-config';

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Maximum length of the body of a public route that declares no limit of its own. */
const PUBLIC_LIMIT = 16 * KIB;

/** Maximum length of the body of a route with a credential that declares no limit of its own. */
export const DEFAULT_LIMIT = 64 * KIB;

/**
 * A route whose fields can add up to more than the default. A character takes up to 12 bytes,
 * because some clients write a character outside the Basic Multilingual Plane as two `\u` escapes.
 */
export function BodyLimit(bytes: number): MethodDecorator {
  return AddRouteConfig({ bodyLimit: bytes });
}

/** Fastify's `onRoute` hook: sets the limit that a route declares, or the default. */
export function setBodyLimit(route: RouteOptions): void {
  const { credential, bodyLimit } = route.config ?? {};
  route.bodyLimit = bodyLimit ?? (credential === undefined ? PUBLIC_LIMIT : DEFAULT_LIMIT);
}

/** Formats a limit for people. */
export function formatBytes(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
