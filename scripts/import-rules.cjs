/*
 * Which files may import which. `npm run check` enforces this with dependency-cruiser;
 * CONTRIBUTING.md shows the picture.
 */

/** The layers, from the bottom up. Each imports only what is below it. */
const ORDER = ['config', 'tracing', 'logging', 'database', 'http', 'validation', 'openapi', 'site'];

const LAYERS = `(?:${ORDER.join('|')})`;

/** The files of a feature that other features may import. */
const DOORS =
  '(?:module|service|entity|guard|decorator|registry|dto|errors|types|rules|columns|fields?)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycle-between-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'no-layer-imports-a-feature',
      severity: 'error',
      from: { path: `^src/${LAYERS}/` },
      to: { path: '^src/[^/]+/', pathNot: `^src/${LAYERS}/` },
    },
    ...ORDER.slice(0, -1).map((layer, index) => ({
      name: `${layer}-imports-no-layer-above-it`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: `^src/(?:${ORDER.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'features-meet-at-their-doors',
      comment: 'a feature is used through its module, services and entities, and what it declares',
      severity: 'error',
      from: { path: `^src/(?!${LAYERS}/)([^/]+)/` },
      to: {
        path: '^src/[^/]+/',
        pathNot: ['^src/$1/', `^src/${LAYERS}/`, `\\.${DOORS}\\.ts$`],
      },
    },
    {
      name: 'nothing-imports-the-composition',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'no-dev-dependency-in-the-service',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'bench/ has dependencies of its own, which need not be installed',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '(\\.spec\\.ts$|^src/metadata\\.(js|d\\.ts)$|^src/(openapi|site|results-page)/pages/)',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
