import { runFolders, runSeparately } from './support/suite';

runFolders(['openapi']);
runSeparately('examples');
