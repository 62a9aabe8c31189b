// Writes what the DTOs and controllers say (types, JSDoc, optional members) to
// src/platform/openapi/metadata.js, of which `npm run openapi` makes the OpenAPI document.
import { fileURLToPath } from 'node:url';
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import ts from 'typescript';

const source = fileURLToPath(new URL('../src', import.meta.url));
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile(
  fileURLToPath(new URL('../tsconfig.build.json', import.meta.url)),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  },
);
new PluginMetadataGenerator().generate({
  visitors: [
    new ReadonlyVisitor({
      introspectComments: true,
      classValidatorShim: false,
      dtoFileNameSuffix: ['.dto.ts'],
      pathToSource: `${source}/platform/openapi`,
    }),
  ],
  outputDir: `${source}/platform/openapi`,
  filename: 'metadata.js',
  tsProgramRef: ts.createProgram(fileNames, options),
});
