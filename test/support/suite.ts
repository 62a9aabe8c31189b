import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { closeSharedService, startSharedService } from './service';

/*
 * Several folders make one test file, because Jest loads every module again for each file: that
 * takes longer than most tests.
 */

/** Defines the tests of some folders of `test` that share one service. */
export function runFolders(folders: readonly string[], variables: NodeJS.ProcessEnv = {}): void {
  describe('on one service', () => {
    beforeAll(() => startSharedService(variables));
    runSeparately(...folders);
    afterAll(closeSharedService);
  });
}

/** Defines the tests of some folders of `test`, whose files start what they need. */
export function runSeparately(...folders: string[]): void {
  for (const folder of folders) {
    describe(folder, () => {
      const path = join(__dirname, '..', folder);
      for (const file of readdirSync(path).toSorted()) {
        jest.requireActual(join(path, file));
      }
    });
  }
}
