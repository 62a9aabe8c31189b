import { runFolder } from './support/suite';

runFolder('plans');
