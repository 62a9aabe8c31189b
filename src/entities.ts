import { ApiKey } from './api-key/api-key.entity';
import { Campaign } from './campaign/campaign.entity';
import { CampaignProgress } from './campaign/campaign-progress.entity';
import { Company } from './company/company.entity';
import { Event } from './event/event.entity';
import { EventSequence } from './event/event-sequence.entity';
import { Participation } from './fielding/participation.entity';
import { SealedKey } from './fielding/sealed-key.entity';
import { GuardrailPosition } from './guardrail/guardrail-position.entity';
import { GuardrailWatch } from './guardrail/guardrail-watch.entity';
import { Guardrail } from './guardrail/guardrail.entity';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity';
import { CarriedBalance } from './ledger/carried-balance.entity';
import { Transfer } from './ledger/transfer.entity';
import { PlatformKey } from './platform-key/platform-key.entity';
import { AnswerTimes } from './quality/answer-times.entity';
import { QuestionSet } from './questions/question-set.entity';
import { ArchivedSubmission } from './responses/archived-submission.entity';
import { Response } from './responses/response.entity';
import { Tally } from './results/tally.entity';
import { TallyPosition } from './results/tally-position.entity';
import { ResultsLink } from './results-page/results-link.entity';
import { WebhookDelivery } from './webhook/webhook-delivery.entity';
import { WebhookEndpoint } from './webhook/webhook-endpoint.entity';

/** The entities of every table. */
export const entities = [
  Company,
  ApiKey,
  PlatformKey,
  Campaign,
  CampaignProgress,
  QuestionSet,
  Participation,
  Response,
  ArchivedSubmission,
  Transfer,
  CarriedBalance,
  Tally,
  TallyPosition,
  AnswerTimes,
  ResultsLink,
  Guardrail,
  GuardrailPosition,
  GuardrailWatch,
  SealedKey,
  Event,
  EventSequence,
  IdempotencyRecord,
  WebhookEndpoint,
  WebhookDelivery,
];
