import { runFolders } from './support/suite';

runFolders(['security']);
