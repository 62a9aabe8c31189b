import { runFolders, runSeparately } from './support/suite';

runFolders(['events']);
runSeparately('upkeep');
