import { runSeparately } from './support/suite';

runSeparately('keys');
