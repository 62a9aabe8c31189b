import { runFolder } from './support/suite';

runFolder('accounts', { WEBHOOK_ALLOW_PRIVATE: 'true' });
