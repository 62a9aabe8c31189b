import 'reflect-metadata';
import { readEnvironment } from './src/platform/config/env';
import { createDataSource } from './src/platform/database/data-source';
import { entities } from './src/app.module';

/** What the TypeORM command line works on: the same database as the service would. */
export default createDataSource(readEnvironment({ serving: false }), { entities, limits: false });
