import { runFolder } from './support/suite';

runFolder('campaigns');
