import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readEnvironment } from '../src/config/env';
import { connect } from '../src/database/open-database';
import { entities } from '../src/entities';

/*
 * `npm run migration:generate -- src/database/migrations/AddSomething`: compares the entities with
 * the configured database and writes the difference as a migration, to be edited by hand.
 */

// TypeORM reads the tables side by side on one connection. pg puts such queries in a queue, as TypeORM
// expects, and warns that its next major version will not.
process.noDeprecation = true;

interface Statement {
  query: string;
  parameters?: unknown[];
}

/**
 * The statements that change the database's schema to that of the entities, and those that undo it.
 */
async function schemaDifference(): Promise<{ up: Statement[]; down: Statement[] }> {
  const dataSource = await connect(readEnvironment({ serving: false }), {
    entities,
    limits: false,
  });
  try {
    const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
    return { up: upQueries, down: downQueries.toReversed() };
  } finally {
    await dataSource.destroy();
  }
}

function method(name: string, statements: Statement[]): string {
  const lines = statements.map(({ query, parameters = [] }) => {
    const text = query.replace(/[\\`]|\$\{/g, '\\$&');
    const rest = parameters.length > 0 ? `, ${JSON.stringify(parameters)}` : '';
    return `    await queryRunner.query(\`${text}\`${rest});\n`;
  });
  return `  async ${name}(queryRunner: QueryRunner): Promise<void> {\n${lines.join('')}  }\n`;
}

async function generate(path: string | undefined): Promise<void> {
  const name = basename(path ?? '');
  if (path === undefined || !/^[A-Z][A-Za-z0-9]*$/.test(name)) {
    throw new Error(
      'Give the path of the migration and its name in PascalCase, such as ' +
        '"npm run migration:generate -- src/database/migrations/AddSomething".',
    );
  }
  const { up, down } = await schemaDifference();
  if (up.length === 0) {
    throw new Error('The database already has the schema of the entities: nothing to generate.');
  }
  const timestamp = Date.now();
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, '-$&').toLowerCase();
  const file = join(dirname(path), `${timestamp}-${words}.ts`);
  writeFileSync(
    file,
    "import { MigrationInterface, QueryRunner } from 'typeorm';\n\n" +
      `export class ${name}${timestamp} implements MigrationInterface {\n` +
      `  name = '${name}${timestamp}';\n\n` +
      `${method('up', up)}\n${method('down', down)}}\n`,
  );
  process.stdout.write(`${file}\n`);
}

generate(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
