/** Files and folders of documents that the service shows on its site. */
export const DOCUMENTS = [
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'LICENSE',
  'clients/typescript/README.md',
  'bench/README.md',
  'bench/results',
];
