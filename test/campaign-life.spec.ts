import { runFolder } from './support/suite';

runFolder('campaign-life');
