/** What the DTOs and controllers say about themselves; the build writes src/metadata.js. */
declare const metadata: () => Promise<Record<string, unknown>>;
export default metadata;
