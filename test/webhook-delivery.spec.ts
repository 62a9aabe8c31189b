import { runSeparately } from './support/suite';

runSeparately('webhook-delivery');
