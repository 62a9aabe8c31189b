import { runFolder } from './support/suite';

runFolder('questions');
