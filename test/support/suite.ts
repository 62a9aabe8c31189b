import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { closeSharedService, startSharedService } from './service';

/**
 * Runs every file of some folders of `test` as one suite, on one shared service.
 *
 * @param variables the configuration of the shared service
 */
export function runFolders(folders: readonly string[], variables: NodeJS.ProcessEnv = {}): void {
  beforeAll(() => startSharedService(variables));
  for (const folder of folders.map((name) => join(__dirname, '..', name))) {
    for (const file of readdirSync(folder).toSorted()) {
      jest.requireActual(join(folder, file));
    }
  }
  afterAll(closeSharedService);
}
