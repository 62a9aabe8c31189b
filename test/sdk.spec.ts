import { removeInstalledSdk } from './support/sdk';
import { runFolders } from './support/suite';

runFolders(['sdk', 'cli'], { WEBHOOK_ALLOW_PRIVATE: 'true' });
afterAll(removeInstalledSdk);
