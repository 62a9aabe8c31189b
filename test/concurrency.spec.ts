import { runFolders } from './support/suite';

runFolders(['concurrency']);
