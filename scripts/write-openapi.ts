import 'reflect-metadata';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { DOCUMENT } from '../src/app.setup';
import { AppModule } from '../src/app.module';
import { loadEnv } from '../src/platform/config/env';
import metadata from '../src/platform/openapi/metadata';
import type { RecordedExamples } from '../src/platform/openapi/document-content';
import { createOpenApiDocument } from '../src/platform/openapi/openapi';
import { recordExamples } from './record-examples';

/*
 * `npm run openapi`: runs the service to record the examples of the OpenAPI document, and writes
 * the examples and the document to the repository.
 */

const EXAMPLES_FILE = 'src/platform/openapi/recorded-examples.json';
const DOCUMENT_FILE = 'openapi.json';

async function createDocument(examples: RecordedExamples): Promise<object> {
  const secret = 'for a document only: 0123456789abcdef';
  const env = loadEnv({ NODE_ENV: 'test', JWT_SECRET: secret, ENCRYPTION_KEY: secret });
  const app = await NestFactory.create(
    AppModule.forRoot(env, new DataSource({ type: 'postgres' })),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  return createOpenApiDocument(app, DOCUMENT, examples, metadata);
}

function write(file: string, content: object): void {
  writeFileSync(resolve(file), `${JSON.stringify(content, null, 2)}\n`);
}

/** Writes the document to the repository, and for the service that this program runs. */
async function writeDocument(examples: RecordedExamples): Promise<void> {
  write(DOCUMENT_FILE, await createDocument(examples));
  copyFileSync(DOCUMENT_FILE, join(__dirname, '..', DOCUMENT_FILE));
}

async function writeOpenApi(): Promise<void> {
  // The recorder takes its requests from the document that the service serves.
  await writeDocument(JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedExamples);
  const directory = mkdtempSync(join(tmpdir(), 'campaign-examples-'));
  const examples = await recordExamples(directory);
  rmSync(directory, { recursive: true });
  write(EXAMPLES_FILE, examples);
  await writeDocument(examples);
}

writeOpenApi().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exitCode = 1;
});
