import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error';

/** The versions a write may find, by its `If-Match`; `undefined` where any will do. */
export type ExpectedVersions = readonly number[] | undefined;

/** PostgreSQL's integers have fewer digits; a longer number is no version. */
const STRONG_TAG = /^"(\d{1,9})"$/;

/** The `ETag` of a version: a strong one, as equal versions are equal throughout. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Handler parameter: what `If-Match` says. Tags that this service never gave match nothing. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExpectedVersions => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
    if (header === undefined || header.trim() === '*') {
      return undefined;
    }
    return header.split(',').flatMap((tag) => {
      const [, version] = STRONG_TAG.exec(tag.trim()) ?? [];
      return version === undefined ? [] : [Number(version)];
    });
  },
);

/** Whether a write that expects these versions may change one that is at this version. */
export function isExpected(version: number, expected: ExpectedVersions): boolean {
  return expected === undefined || expected.includes(version);
}

/** The campaign has changed since the caller read it. */
export function versionConflict(): ApiError {
  return new ApiError(
    'version_conflict',
    'The campaign has changed since the version that If-Match names. Nothing was changed; read it again.',
  );
}
