import { runFolder } from './support/suite';

runFolder('events');
