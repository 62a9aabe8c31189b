const options = (tsx) => ({
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx, decorators: true, dynamicImport: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: true,
      ...(tsx ? { react: { runtime: 'automatic', importSource: 'preact' } } : {}),
    },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
});

/** How swc compiles TypeScript, for the build and for the tests. */
export const SWC = options(false);
/** The same for files with JSX. */
export const SWC_JSX = options(true);
