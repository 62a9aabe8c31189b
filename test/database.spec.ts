import { runFolder } from './support/suite';

runFolder('database');
