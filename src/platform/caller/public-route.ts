import { CustomDecorator, SetMetadata } from '@nestjs/common';

/** Metadata key of {@link PublicRoute}. */
export const PUBLIC_ROUTE = 'publicRoute';

/** Marks a route without a credential. A test fails on one with neither a guard nor this mark. */
export function PublicRoute(): CustomDecorator {
  return SetMetadata(PUBLIC_ROUTE, true);
}
