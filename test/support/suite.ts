import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { closeSharedService, startSharedService } from './service';

/**
 * Runs every file of a folder of `test` as one suite, on one shared service.
 *
 * @param variables the configuration of the shared service
 */
export function runFolder(name: string, variables: NodeJS.ProcessEnv = {}): void {
  beforeAll(() => startSharedService(variables));
  const folder = join(__dirname, '..', name);
  for (const file of readdirSync(folder).toSorted()) {
    jest.requireActual(join(folder, file));
  }
  afterAll(closeSharedService);
}
