import { runFolder } from './support/suite';

runFolder('forecast');
