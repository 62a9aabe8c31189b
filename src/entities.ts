import { ApiKey } from './access/api-key/api-key.entity';
import { Campaign } from './campaigns/campaign/campaign.entity';
import { Company } from './access/company/company.entity';
import { Event } from './platform/event/event.entity';
import { Participation } from './fielding/participations/participation.entity';
import { SealedKey } from './fielding/participations/sealed-key.entity';
import { Guardrail } from './campaigns/guardrail/guardrail.entity';
import { Transfer } from './insight/ledger/transfer.entity';
import { PlatformKey } from './access/platform-key/platform-key.entity';
import { QuestionSet } from './campaigns/questions/question-set.entity';
import { ResultsLink } from './insight/results-page/results-link.entity';
import { WebhookEndpoint } from './delivery/webhook/webhook-endpoint.entity';

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
