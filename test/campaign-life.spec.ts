import { runFolders } from './support/suite';

runFolders(['campaign-life', 'guardrails', 'concurrency']);
