// Reads the DTOs and controllers (types, JSDoc, optional members) into src/metadata.ts, from which
// the OpenAPI document is generated. The build and the tests load the same file, so the tested
// document is the served one.
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

// Nest's own command type-checks first, which fails until this file exists. So the program is
// created here.
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
