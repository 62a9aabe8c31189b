import { runFolders } from './support/suite';

runFolders(['mcp'], { LOG_LEVEL: 'info' });
