import { runFolders } from './support/suite';

runFolders(['balance']);
