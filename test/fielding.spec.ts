import { runFolders } from './support/suite';

runFolders(['fielding']);
