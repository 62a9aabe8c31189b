import { runFolders } from './support/suite';

runFolders(['approval', 'balance']);
