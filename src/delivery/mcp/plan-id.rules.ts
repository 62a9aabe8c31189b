import { createHash } from 'node:crypto';
import stringify from 'safe-stable-stringify';

const PLAN_ID = /^plan_(0|[1-9]\d{0,8})_[\w-]{43}$/;

/**
 * Returns the name of a plan, which stands for a document and the version of the campaign that it
 * would change. The order of the fields in the document does not matter.
 *
 * @param company whose campaign it is
 * @param version the campaign's version; 0 if the document would create it
 */
export function planIdOf(company: string, document: object, version: number): string {
  const hash = createHash('sha256').update(stringify([company, version, document]));
  return `plan_${version}_${hash.digest('base64url')}`;
}

/** Returns the version that a plan is for; `undefined` if it is the plan of another document. */
export function plannedVersion(
  company: string,
  document: object,
  planId: string,
): number | undefined {
  const [, version] = PLAN_ID.exec(planId) ?? [];
  return version !== undefined && planIdOf(company, document, Number(version)) === planId
    ? Number(version)
    : undefined;
}
