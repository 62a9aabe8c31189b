import { runFolder } from './support/suite';

runFolder('documents');
