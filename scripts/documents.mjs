/** Files and folders of documents that the service shows on its site, or serves. */
export const DOCUMENTS = [
  'openapi.json',
  'arazzo.json',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'LICENSE',
  'clients/typescript/README.md',
  'bench/README.md',
  'bench/results',
];
