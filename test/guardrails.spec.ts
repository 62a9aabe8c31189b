import { runFolder } from './support/suite';

runFolder('guardrails');
