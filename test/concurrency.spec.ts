import { runFolder } from './support/suite';

runFolder('concurrency');
