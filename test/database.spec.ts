import { runFolders } from './support/suite';

runFolders(['database']);
