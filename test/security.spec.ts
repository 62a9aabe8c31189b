import { runFolder } from './support/suite';

runFolder('security');
