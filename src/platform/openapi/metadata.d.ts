/**
 * What the DTOs and controllers say about themselves: types, JSDoc, optional members.
 * `scripts/generate-metadata.mjs` writes src/platform/openapi/metadata.js.
 */
declare const metadata: () => Promise<Record<string, unknown>>;
export default metadata;
