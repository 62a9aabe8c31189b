import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { Client } from './client';
import { createTestDatabase, TestDatabase } from './databases';
import { testEnv } from './env';

/** A running instance, and a connection to its database. */
export interface Instance {
  app: NestFastifyApplication;
  client: Client;
  sql: DataSource;
}

/** Instances of the service, sequential or concurrent, on databases that outlive them. */
export class Instances {
  private readonly running: NestFastifyApplication[] = [];
  private readonly databases: TestDatabase[] = [];

  async database(): Promise<NodeJS.ProcessEnv> {
    const database = await createTestDatabase();
    this.databases.push(database);
    return { ...database.variables };
  }

  async start(variables: NodeJS.ProcessEnv): Promise<Instance> {
    const app = await createApp(testEnv(variables), pino({ level: 'silent' }));
    this.running.push(app);
    await app.listen(0, '127.0.0.1');
    return { app, client: new Client(await app.getUrl()), sql: app.get(DataSource) };
  }

  async stop(): Promise<void> {
    for (const app of this.running.splice(0)) {
      await app.close();
    }
  }

  async drop(): Promise<void> {
    await this.stop();
    for (const database of this.databases.splice(0)) {
      await database.drop();
    }
  }
}
