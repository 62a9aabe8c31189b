import { runFolder } from './support/suite';

runFolder('protocol');
