import { runFolders, runSeparately } from './support/suite';

runFolders(['fielding']);
runSeparately('fielding-data');
