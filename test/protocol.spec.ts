import { runFolders } from './support/suite';

runFolders(['protocol'], { LOG_LEVEL: 'trace', METRICS_PORT: '0' });
