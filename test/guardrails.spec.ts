import { runFolders } from './support/suite';

runFolders(['guardrails']);
