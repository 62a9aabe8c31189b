import { removeInstalledSdk } from './support/sdk';
import { closeSharedService } from './support/service';
import './sdk/account';
import './sdk/failures';
import './sdk/lists';
import './sdk/methods';
import './sdk/package';
import './sdk/types';
import './sdk/webhooks';

afterAll(closeSharedService);
afterAll(removeInstalledSdk);
