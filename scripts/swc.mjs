/** How swc compiles TypeScript, for the build and for the tests. */
export const SWC = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: true,
    },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};
