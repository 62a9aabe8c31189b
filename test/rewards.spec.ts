import { runFolder } from './support/suite';

runFolder('rewards');
