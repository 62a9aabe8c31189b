import { runFolder } from './support/suite';

runFolder('openapi');
