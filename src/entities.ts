import { ApiKey } from './api-key/api-key.entity';
import { Campaign } from './campaign/campaign.entity';
import { Company } from './company/company.entity';
import { Event } from './event/event.entity';
import { Participation } from './fielding/participation.entity';
import { SealedKey } from './fielding/sealed-key.entity';
import { Guardrail } from './guardrail/guardrail.entity';
import { Transfer } from './ledger/transfer.entity';
import { PlatformKey } from './platform-key/platform-key.entity';
import { QuestionSet } from './questions/question-set.entity';
import { ResultsLink } from './results-page/results-link.entity';
import { WebhookEndpoint } from './webhook/webhook-endpoint.entity';

/** The entities of every table whose rows the code reads as objects. */
export const entities = [
  Company,
  ApiKey,
  PlatformKey,
  Campaign,
  QuestionSet,
  Participation,
  Transfer,
  ResultsLink,
  Guardrail,
  SealedKey,
  Event,
  WebhookEndpoint,
];
