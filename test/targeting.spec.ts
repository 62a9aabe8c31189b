import { runFolders } from './support/suite';

runFolders(['targeting']);
