import { runFolders } from './support/suite';

runFolders(['settlements']);
