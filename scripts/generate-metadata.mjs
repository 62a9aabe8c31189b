// Reads the DTOs and controllers (types, JSDoc, optional marks) into src/metadata.ts, from which
// the OpenAPI document is made. The build and the test suite load the same file, so what is tested
// is what is served.
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = ts.getParsedCommandLineOfConfigFile(`${root}/tsconfig.build.json`, undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
});

// The program is made here because Nest's own way type-checks, and without the very file that is
// made here nothing type-checks.
new PluginMetadataGenerator().generate({
  visitors: [
    new ReadonlyVisitor({
      introspectComments: true,
      classValidatorShim: false,
      dtoFileNameSuffix: ['.dto.ts'],
      pathToSource: `${root}/src`,
    }),
  ],
  outputDir: `${root}/src`,
  tsProgramRef: ts.createProgram(config.fileNames, config.options),
});
