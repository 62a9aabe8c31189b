import { runFolder } from './support/suite';

runFolder('fielding');
