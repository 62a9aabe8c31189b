import { runFolder } from './support/suite';

runFolder('protocol', { LOG_LEVEL: 'trace', METRICS_PORT: '0' });
