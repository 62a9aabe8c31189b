import { removeInstalledSdk } from './support/sdk';
import { runFolder } from './support/suite';

runFolder('sdk', { WEBHOOK_ALLOW_PRIVATE: 'true' });
afterAll(removeInstalledSdk);
