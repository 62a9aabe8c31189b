import { fileURLToPath } from 'node:url';
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';

const source = fileURLToPath(new URL('../src', import.meta.url));

/**
 * Writes what a program's DTOs and controllers say (types, JSDoc, optional members) to
 * src/metadata.js, from which the OpenAPI document is generated, and returns that path. The build
 * and the tests load this file, so the tested document is the served one.
 */
export function writeMetadata(program) {
  new PluginMetadataGenerator().generate({
    visitors: [
      new ReadonlyVisitor({
        introspectComments: true,
        classValidatorShim: false,
        dtoFileNameSuffix: ['.dto.ts'],
        pathToSource: source,
      }),
    ],
    outputDir: source,
    filename: 'metadata.js',
    tsProgramRef: program,
  });
  return `${source}/metadata.js`;
}
