import { runFolder } from './support/suite';

runFolder('results');
