import { removeInstalledSdk } from './support/sdk';
import { runFolders } from './support/suite';

runFolders(['sdk'], { WEBHOOK_ALLOW_PRIVATE: 'true' });
afterAll(removeInstalledSdk);
