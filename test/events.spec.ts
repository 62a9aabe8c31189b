import { runFolders } from './support/suite';

runFolders(['events']);
