import { runFolders, runSeparately } from './support/suite';

runFolders(['fielding', 'bonus', 'dispute']);
runSeparately('fielding-data');
