import { MigrationInterface, QueryRunner } from 'typeorm';
import { changeShardsInTurn, distribute } from '../citus';
import { apiKey } from './create-schema/api-key';
import { campaign } from './create-schema/campaign';
import { campaignProgress } from './create-schema/campaign-progress';
import { company } from './create-schema/company';
import { event } from './create-schema/event';
import { eventSequence } from './create-schema/event-sequence';
import { idempotencyRecord } from './create-schema/idempotency-record';
import { participation } from './create-schema/participation';
import { participationFunctions } from './create-schema/participation-functions';
import { platformKey } from './create-schema/platform-key';
import { questionSet } from './create-schema/question-set';
import { response } from './create-schema/response';
import { sealedKey } from './create-schema/sealed-key';
import { transfer } from './create-schema/transfer';
import { webhookDelivery } from './create-schema/webhook-delivery';
import { webhookEndpoint } from './create-schema/webhook-endpoint';

/**
 * Creates the schema. Each table has a file in `create-schema`. A table's comment says where a
 * Citus cluster keeps the table (see `citus.ts`).
 */
export class CreateSchema1795132800000 implements MigrationInterface {
  name = 'CreateSchema1795132800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const statements = [
      company,
      event,
      eventSequence,
      apiKey,
      platformKey,
      campaign,
      campaignProgress,
      questionSet,
      participation,
      response,
      transfer,
      participationFunctions,
      sealedKey,
      idempotencyRecord,
      webhookEndpoint,
      webhookDelivery,
    ].flat();
    for (const statement of statements) {
      await queryRunner.query(statement);
    }
    await distribute(queryRunner);
  }

  /** Drops every table with all of its rows. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await changeShardsInTurn(queryRunner);
    await queryRunner.query(`ALTER TABLE campaign DROP CONSTRAINT campaign_question_set_fkey`);
    // They return a row of a table.
    await queryRunner.query(
      `DROP FUNCTION
        submit_participation(text, bigint, text, numeric, integer, bytea, jsonb, text),
        abandon_participation(text, bigint, text),
        reverse_participation(text, bigint, text, text, text)`,
    );
    for (const table of [
      'webhook_delivery',
      'webhook_endpoint',
      'idempotency_record',
      'sealed_key',
      'transfer',
      'response',
      'participation',
      'question_set',
      'campaign_progress',
      'campaign',
      'platform_key',
      'api_key',
      'event_sequence',
      'event',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP TABLE company`);
    for (const name of [
      'notify_key_changed()',
      'advance_api_key()',
      'record_api_key_created()',
      'record_api_key_updated()',
      'advance_campaign()',
      'record_campaign_created()',
      'record_campaign_updated()',
      'field_change(text, anyelement, anyelement)',
      'number_events(text, integer)',
      'record_webhook_endpoint_updated()',
      'make_webhook_endpoints_due()',
      'release_participations(text, bigint, text[], text, timestamptz)',
      'expire_participations(text, bigint)',
      'begin_participation(text, bigint, text, text, bytea)',
      'refuse_transfer_change()',
      'claim_deliveries(text, text, integer, integer, interval)',
      'finish_delivery(text, text, bigint, integer, text, jsonb, interval, interval, integer, integer, interval)',
    ]) {
      await queryRunner.query(`DROP FUNCTION ${name}`);
    }
  }
}
