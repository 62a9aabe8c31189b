import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { fieldError } from './api-error';

/**
 * The versions that a write's `If-Match` accepts. `any` stands for `*`, which accepts every version
 * but needs an existing campaign. `undefined` means that the header is absent.
 */
export type ExpectedVersions = readonly number[] | 'any' | undefined;

/** For a write that creates something: it must not exist, and versions begin with 1. */
export const NOT_CREATED: ExpectedVersions = [0];

/** Whether a write with these versions may create something. */
export function mayCreate(expected: ExpectedVersions): boolean {
  return expected === undefined || (expected !== 'any' && expected.includes(0));
}

/** The form of a version that {@link etagOf} writes, and 0 for what must not exist yet. */
const STRONG_TAG = /^"(0|[1-9]\d{0,8})"$/;

/**
 * The `ETag` of a version. It stands for what writes change, not for every byte: the progress, a
 * status that follows the clock and the state of guardrails change without it. It has the form of a
 * strong tag, because `If-Match` accepts no weak one.
 */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** A list of entity tags, strong or weak (RFC 9110, section 13.1.1). */
const TAGS = /^(?:\s*(?:W\/)?"[^"]*"\s*(?:,|$))+$/;

/**
 * Handler parameter: the versions in `If-Match`. A tag that is not ours matches none. An unquoted
 * one is refused, because a 412 would say that the campaign had changed.
 */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExpectedVersions => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
    if (header === undefined) {
      return undefined;
    }
    if (header.trim() === '*') {
      return 'any';
    }
    if (!TAGS.test(header)) {
      const message = 'If-Match must be * or the ETag that a read returned, with its quotes.';
      throw fieldError('If-Match', 'not_allowed', message);
    }
    return header.split(',').flatMap((tag) => {
      const [, version] = STRONG_TAG.exec(tag.trim()) ?? [];
      return version === undefined ? [] : [Number(version)];
    });
  },
);

/** The accepted versions; `undefined` if every version is accepted. */
export function acceptedVersions(expected: ExpectedVersions): readonly number[] | undefined {
  return expected === 'any' ? undefined : expected;
}

/** Whether a write that expects these versions may change a row at this version. */
export function isExpected(version: number, expected: ExpectedVersions): boolean {
  return acceptedVersions(expected)?.includes(version) ?? true;
}
