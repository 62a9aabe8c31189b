import { removeInstalledSdk } from '../support/sdk';
import { runFolder } from '../support/suite';

runFolder('sdk-package');
afterAll(removeInstalledSdk);
