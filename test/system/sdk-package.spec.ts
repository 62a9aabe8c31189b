import { removeInstalledSdk } from '../support/sdk';
import { runFolders } from '../support/suite';

runFolders(['sdk-package']);
afterAll(removeInstalledSdk);
