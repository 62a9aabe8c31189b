import { runFolders } from './support/suite';

runFolders(['results', 'forecast']);
