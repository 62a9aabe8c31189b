import { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditVersionsAndIdempotency1795140000000 implements MigrationInterface {
  name = 'AuditVersionsAndIdempotency1795140000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE campaign
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD COLUMN updated_by text`);
    await queryRunner.query(`UPDATE campaign SET updated_by = company_id`);
    await queryRunner.query(`ALTER TABLE campaign ALTER COLUMN updated_by SET NOT NULL`);
    await queryRunner.query(`ALTER TABLE api_key ADD COLUMN updated_by text`);
    await queryRunner.query(`UPDATE api_key SET updated_by = company_id`);
    await queryRunner.query(`ALTER TABLE api_key ALTER COLUMN updated_by SET NOT NULL`);

    await queryRunner.query(`
      CREATE TABLE audit_event (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_event_pkey PRIMARY KEY,
        subject text NOT NULL,
        action text NOT NULL,
        actor text NOT NULL,
        changes jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      )`);
    await queryRunner.query(`CREATE INDEX audit_event_subject ON audit_event (subject, id DESC)`);

    // Writes down every change of a row, whoever makes it, in the transaction that makes it; an
    // update that changes nothing leaves the row as it was. The first argument is the column that
    // names the row, the others are columns to say nothing of.
    await queryRunner.query(`
      CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        before jsonb := coalesce(to_jsonb(OLD), '{}');
        after jsonb := to_jsonb(NEW);
        changes jsonb;
      BEGIN
        SELECT jsonb_object_agg(
          key, jsonb_build_object('old', coalesce(before -> key, 'null'), 'new', value)
        )
        INTO changes
        FROM jsonb_each(after)
        WHERE value <> coalesce(before -> key, 'null') AND key <> ALL (TG_ARGV);
        IF changes IS NULL THEN
          RETURN OLD;
        END IF;
        INSERT INTO audit_event (subject, action, actor, changes)
        VALUES (
          after ->> TG_ARGV[0],
          CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'updated' END,
          NEW.updated_by,
          changes
        );
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION count_campaign_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := OLD.version + 1;
        NEW.updated_at := clock_timestamp();
        RETURN NEW;
      END $$`);
    const campaignColumns = `
      'post_id', 'id', 'company_id', 'version', 'created_at', 'updated_at', 'updated_by'`;
    const keyColumns = `
      'key_id', 'company_id', 'key_hash', 'created_at', 'last_used_at', 'updated_by'`;
    await queryRunner.query(`
      CREATE TRIGGER campaign_created AFTER INSERT ON campaign
        FOR EACH ROW EXECUTE FUNCTION record_change(${campaignColumns})`);
    // Triggers fire in the order of their names: this one, then the one that counts.
    await queryRunner.query(`
      CREATE TRIGGER campaign_1_updated BEFORE UPDATE ON campaign
        FOR EACH ROW EXECUTE FUNCTION record_change(${campaignColumns})`);
    await queryRunner.query(`
      CREATE TRIGGER campaign_2_version BEFORE UPDATE ON campaign
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
        EXECUTE FUNCTION count_campaign_version()`);
    await queryRunner.query(`
      CREATE TRIGGER api_key_created AFTER INSERT ON api_key
        FOR EACH ROW EXECUTE FUNCTION record_change(${keyColumns})`);
    await queryRunner.query(`
      CREATE TRIGGER api_key_updated BEFORE UPDATE OF name, scopes, expires_at, revoked_at ON api_key
        FOR EACH ROW EXECUTE FUNCTION record_change(${keyColumns})`);

    await queryRunner.query(`
      CREATE TABLE idempotency_record (
        scope text NOT NULL,
        key_hash bytea NOT NULL,
        route text NOT NULL,
        fingerprint bytea NOT NULL,
        outcome bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_record_pkey PRIMARY KEY (scope, key_hash)
      )`);
    await queryRunner.query(`
      CREATE INDEX idempotency_record_created_at ON idempotency_record (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE idempotency_record`);
    await queryRunner.query(`DROP TRIGGER api_key_updated ON api_key`);
    await queryRunner.query(`DROP TRIGGER api_key_created ON api_key`);
    await queryRunner.query(`DROP TRIGGER campaign_2_version ON campaign`);
    await queryRunner.query(`DROP TRIGGER campaign_1_updated ON campaign`);
    await queryRunner.query(`DROP TRIGGER campaign_created ON campaign`);
    await queryRunner.query(`DROP FUNCTION count_campaign_version()`);
    await queryRunner.query(`DROP FUNCTION record_change()`);
    await queryRunner.query(`DROP TABLE audit_event`);
    await queryRunner.query(`ALTER TABLE api_key DROP COLUMN updated_by`);
    await queryRunner.query(`ALTER TABLE campaign DROP COLUMN updated_by, DROP COLUMN version`);
  }
}
