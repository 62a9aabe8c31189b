import { runFolders } from './support/suite';

runFolders(['accounts'], { WEBHOOK_ALLOW_PRIVATE: 'true' });
