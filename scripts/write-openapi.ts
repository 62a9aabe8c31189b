import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module';
import { loadEnv } from '../src/config/env';
import { createOpenApiDocument } from '../src/http/openapi';

/*
 * `npm run openapi`: writes the OpenAPI document to a file. Nothing of the service is started: no
 * database, no port.
 */

/** The document as it stands in the repository. */
async function openApiDocument(): Promise<string> {
  const env = loadEnv({ NODE_ENV: 'test', JWT_SECRET: 'for a document only: 0123456789abcdef' });
  const app = await NestFactory.create(
    AppModule.forRoot(env, new DataSource({ type: 'postgres' })),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  return `${JSON.stringify(await createOpenApiDocument(app), null, 2)}\n`;
}

const [target = 'openapi.json'] = process.argv.slice(2);
void openApiDocument().then((text) => {
  writeFileSync(resolve(target), text);
});
