import { runFolders } from './support/suite';

runFolders(['openapi']);
