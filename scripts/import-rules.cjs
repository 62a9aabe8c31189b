/*
 * Which files may import which. `npm run check` enforces this with dependency-cruiser;
 * docs/code.md shows the picture.
 */

/** The rooms, from the bottom up, and the rooms below that each may import. */
const ROOMS = {
  platform: [],
  access: ['platform'],
  campaigns: ['access', 'platform'],
  fielding: ['campaigns', 'access', 'platform'],
  insight: ['fielding', 'campaigns', 'access', 'platform'],
  delivery: ['campaigns', 'access', 'platform'],
  operations: ['delivery', 'insight', 'fielding', 'campaigns', 'access', 'platform'],
};

/** The folders of `platform`, from the bottom up. Each imports only those below it. */
const PLATFORM = [
  'private-members',
  'config',
  'tracing',
  'logging',
  'statistics',
  'database',
  'protocol',
  'caller',
  'limits',
  'validation',
  'openapi',
  'site',
  'metrics',
  'scheduling',
  'deletion',
  'event',
  'idempotency',
  'rate-limit',
  'operator',
  'health',
];

/** The files of a feature that other features may import. */
const DOORS =
  '(?:module|service|entity|guard|decorator|registry|dto|errors|types|rules|columns|fields?)';

const either = (names) => `(?:${names.join('|')})`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycle-between-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...Object.entries(ROOMS).map(([room, below]) => ({
      name: `${room}-imports-only-rooms-below-it`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/[^/]+/', pathNot: `^src/${either([room, ...below])}/` },
    })),
    ...PLATFORM.slice(0, -1).map((folder, index) => ({
      name: `${folder}-imports-no-folder-above-it`,
      severity: 'error',
      from: { path: `^src/platform/${folder}/` },
      to: { path: `^src/platform/${either(PLATFORM.slice(index + 1))}/` },
    })),
    {
      name: 'every-folder-has-its-place',
      comment: 'a new room or folder of platform needs a place in the order above',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: [
          `^src/${either(Object.keys(ROOMS).slice(1))}/[^/]+/`,
          `^src/platform/${either(PLATFORM)}/`,
        ],
      },
      to: {},
    },
    {
      name: 'features-meet-at-their-doors',
      comment: 'a feature is used through its module, services and entities, and what it declares',
      severity: 'error',
      from: { path: '^src/(?!platform/)([^/]+/[^/]+)/' },
      to: {
        path: '^src/(?!platform/)[^/]+/',
        pathNot: ['^src/$1/', `\\.${DOORS}\\.ts$`],
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
      path: '(\\.spec\\.ts$|metadata\\.(js|d\\.ts)$|^src/.+/pages/)',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
