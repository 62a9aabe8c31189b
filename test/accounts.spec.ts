import { runFolder } from './support/suite';

runFolder('accounts');
