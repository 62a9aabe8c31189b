import { runFolders } from './support/suite';

runFolders(['accounts', 'security'], { WEBHOOK_ALLOW_PRIVATE: 'true' });
runFolders(['protocol'], { LOG_LEVEL: 'trace', METRICS_PORT: '0' });
