import { MigrationInterface, QueryRunner } from 'typeorm';
import { changeShardsInTurn, distribute } from '../citus';
import { dropFunctions } from '../functions';
import { answerTimes } from './create-schema/answer-times';
import { approval } from './create-schema/approval';
import { apiKey } from './create-schema/api-key';
import { appliedFunction } from './create-schema/applied-function';
import { archivedPayment } from './create-schema/archived-payment';
import { archivedSubmission } from './create-schema/archived-submission';
import { autovacuum } from './create-schema/autovacuum';
import { balance } from './create-schema/balance';
import { bonus } from './create-schema/bonus';
import { campaign } from './create-schema/campaign';
import { campaignProgress } from './create-schema/campaign-progress';
import { carriedBalance } from './create-schema/carried-balance';
import { company } from './create-schema/company';
import { deletion } from './create-schema/deletion';
import { dispute } from './create-schema/dispute';
import { domains, dropDomains } from './create-schema/domains';
import { event } from './create-schema/event';
import { eventSequence } from './create-schema/event-sequence';
import { guardrail } from './create-schema/guardrail';
import { idempotencyRecord } from './create-schema/idempotency-record';
import { lease } from './create-schema/lease';
import { participation } from './create-schema/participation';
import { platformKey } from './create-schema/platform-key';
import { postIdKey } from './create-schema/post-id-key';
import { questionSet } from './create-schema/question-set';
import { resultsLink } from './create-schema/results-link';
import { sealedKey } from './create-schema/sealed-key';
import { settlement } from './create-schema/settlement';
import { spending } from './create-schema/spending';
import { tally } from './create-schema/tally';
import { tabulation } from './create-schema/tabulation';
import { targeting } from './create-schema/targeting';
import { transfer } from './create-schema/transfer';
import { webhookDelivery } from './create-schema/webhook-delivery';
import { webhookEndpoint } from './create-schema/webhook-endpoint';

/**
 * Creates the tables. Each has a file in `create-schema`. A table's comment says where a Citus
 * cluster keeps the table (see `citus.ts`).
 */
export class CreateSchema1795132800000 implements MigrationInterface {
  name = 'CreateSchema1795132800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const statements = [
      domains,
      appliedFunction,
      company,
      event,
      eventSequence,
      apiKey,
      platformKey,
      campaign,
      campaignProgress,
      spending,
      approval,
      questionSet,
      targeting,
      participation,
      transfer,
      bonus,
      dispute,
      carriedBalance,
      balance,
      tally,
      tabulation,
      answerTimes,
      resultsLink,
      guardrail,
      sealedKey,
      postIdKey,
      lease,
      idempotencyRecord,
      webhookEndpoint,
      webhookDelivery,
      deletion,
      archivedSubmission,
      archivedPayment,
      settlement,
      autovacuum,
    ].flat();
    for (const statement of statements) {
      await queryRunner.query(statement);
    }
    await distribute(queryRunner);
  }

  /** Drops every table with all of its rows. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await changeShardsInTurn(queryRunner);
    await dropFunctions(queryRunner);
    await queryRunner.query(`ALTER TABLE campaign DROP CONSTRAINT campaign_question_set_fkey`);
    await queryRunner.query(`ALTER TABLE campaign DROP CONSTRAINT campaign_targeting_fkey`);
    for (const table of [
      'settlement_position',
      'settlement_line',
      'settlement',
      'archived_payment',
      'archived_submission',
      'deletion',
      'webhook_delivery',
      'webhook_endpoint',
      'idempotency_record',
      'lease',
      'post_id_key',
      'sealed_key',
      'guardrail_watch',
      'guardrail',
      'guardrail_position',
      'results_link',
      'answer_times',
      'tabulation',
      'tally',
      'tally_position',
      'allotment_due',
      'funding',
      'balance',
      'carried_balance',
      'dispute',
      'bonus',
      'transfer',
      'participation',
      'refused_begin',
      'begin_pace',
      'cell_counts',
      'quota_cell',
      'targeting',
      'question_set',
      'approval',
      'campaign_charge',
      'key_spending',
      'key_limit',
      'campaign_progress',
      'campaign',
      'platform_key',
      'api_key',
      'event_sequence',
      'unnumbered_event',
      'event',
      'company',
      'applied_function',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    for (const statement of dropDomains) {
      await queryRunner.query(statement);
    }
  }
}
