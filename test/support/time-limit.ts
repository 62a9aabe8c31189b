// The time limit of a test, from its project in test/jest.config.mjs.
jest.setTimeout((globalThis as unknown as { TEST_SECONDS: number }).TEST_SECONDS * 1_000);
