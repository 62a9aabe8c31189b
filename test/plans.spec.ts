import { runFolders } from './support/suite';

runFolders(['plans']);
