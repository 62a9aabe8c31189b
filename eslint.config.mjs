import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {
    ignores: [
      'dist',
      'coverage',
      'data',
      'src/platform/openapi/metadata.js',
      'clients',
      'bench/dist',
      'bench/results',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nest's modules and decorated classes are often empty or all static.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // DTOs and entities are plain shapes; object literals of the same shape are equivalent.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      // Nest injects by the classes of constructor parameters, so their imports must stay.
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        ...['canParse', 'parse'].map((property) => ({
          object: 'URL',
          property,
          message: 'Use parseUrl: URL.canParse is wrong about some texts in Node 20 and 22.',
        })),
      ],
      // The types of Preact declare what browsers have, also for code that runs in Node.
      'no-restricted-globals': [
        'error',
        ...Object.keys(globals.browser).filter((name) => !(name in globals.node)),
      ],
    },
  },
  {
    // Text and SQL may be longer than a line of code.
    rules: {
      'max-len': [
        'error',
        {
          code: 100,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
    },
  },
  {
    // The line breaks of these comments are those of the descriptions in the OpenAPI document.
    files: ['src/**/*.{controller,dto}.ts'],
    rules: { 'max-len': ['error', { code: 100, ignoreComments: true, ignoreStrings: true }] },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'scripts/**/*'],
    ignores: ['**/*.spec.ts'],
    rules: { 'max-lines': ['error', 250] },
  },
  {
    // Response bodies are untyped JSON.
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-plus-operands': ['error', { allowAny: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['console', 'process', 'URL', 'WebAssembly'].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Scripts of the pages, which run in browsers as they are.
    files: ['src/platform/openapi/pages/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        [
          'crypto',
          'document',
          'Element',
          'fetch',
          'localStorage',
          'location',
          'matchMedia',
          'MutationObserver',
          'URL',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['src/insight/preview/pages/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        [
          'AbortController',
          'document',
          'DOMParser',
          'fetch',
          'FormData',
          'location',
          'Node',
          'URLSearchParams',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
