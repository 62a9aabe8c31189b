import { MigrationInterface, QueryRunner } from 'typeorm';

export class ImageSurveysListsAndKeys1795136400000 implements MigrationInterface {
  name = 'ImageSurveysListsAndKeys1795136400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE campaign
        ADD COLUMN format text,
        ADD COLUMN image_survey jsonb,
        ADD COLUMN external_ref text`);
    await queryRunner.query(`UPDATE campaign SET format = 'questionnaire' WHERE type = 'survey'`);
    // A check that comes to null lets the row pass; the first two must not.
    await queryRunner.query(`
      ALTER TABLE campaign
        ADD CONSTRAINT campaign_format_known CHECK (
          CASE WHEN type = 'survey'
            THEN format IS NOT NULL
              AND format IN ('questionnaire', 'round_robin', 'binary', 'image_slider')
            ELSE format IS NULL
          END
        ),
        ADD CONSTRAINT campaign_image_survey CHECK (
          CASE format
            WHEN 'round_robin'
              THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) BETWEEN 3 AND 20
            WHEN 'binary'
              THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) = 2
            WHEN 'image_slider'
              THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) BETWEEN 1 AND 20
                AND image_survey ? 'scale'
            ELSE image_survey IS NULL
          END
        ),
        ADD CONSTRAINT campaign_image_survey_fixed
          CHECK (image_survey IS NULL OR question_set_version IS NULL),
        ADD CONSTRAINT campaign_external_ref_length
          CHECK (char_length(external_ref) BETWEEN 1 AND 200)`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX campaign_external_ref_unique
        ON campaign (company_id, external_ref) WHERE external_ref IS NOT NULL`);
    // A list is read newest first, a page at a time, straight from one of these, however many
    // campaigns there are: once for each kind of campaign and state that its filters let through.
    await queryRunner.query(`
      CREATE INDEX campaign_list
        ON campaign (company_id, coalesce(format, type), is_live, created_at DESC, id DESC)`);
    await queryRunner.query(`
      CREATE INDEX campaign_list_by_category ON campaign (
        company_id, (coalesce(format, type) || ':' || category), is_live, created_at DESC, id DESC
      )`);

    await queryRunner.query(`
      ALTER TABLE api_key
        ADD COLUMN revoked_at timestamptz(3),
        ADD COLUMN last_used_at timestamptz(3)`);
    // Every process caches keys for a few seconds; this tells them all when one is no longer what
    // it was, whoever changed it.
    await queryRunner.query(`
      CREATE FUNCTION notify_api_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('api_key_changed', OLD.key_id);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER api_key_changed
        AFTER UPDATE OF scopes, expires_at, revoked_at OR DELETE ON api_key
        FOR EACH ROW EXECUTE FUNCTION notify_api_key_changed()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER api_key_changed ON api_key`);
    await queryRunner.query(`DROP FUNCTION notify_api_key_changed()`);
    await queryRunner.query(`
      ALTER TABLE api_key DROP COLUMN revoked_at, DROP COLUMN last_used_at`);
    await queryRunner.query(`DROP INDEX campaign_list_by_category`);
    await queryRunner.query(`DROP INDEX campaign_list`);
    await queryRunner.query(`DROP INDEX campaign_external_ref_unique`);
    await queryRunner.query(`
      ALTER TABLE campaign
        DROP CONSTRAINT campaign_external_ref_length,
        DROP CONSTRAINT campaign_image_survey_fixed,
        DROP CONSTRAINT campaign_image_survey,
        DROP CONSTRAINT campaign_format_known,
        DROP COLUMN external_ref,
        DROP COLUMN image_survey,
        DROP COLUMN format`);
  }
}
