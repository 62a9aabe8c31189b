import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSchema1795132800000 implements MigrationInterface {
  name = 'CreateSchema1795132800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE company (
        company_id text CONSTRAINT company_pkey PRIMARY KEY,
        name text NOT NULL,
        email text NOT NULL,
        password_hash text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT company_name_length CHECK (char_length(name) BETWEEN 1 AND 200)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX company_email_unique ON company (lower(email))`);

    await queryRunner.query(`
      CREATE TABLE api_key (
        key_id text CONSTRAINT api_key_pkey PRIMARY KEY,
        company_id text NOT NULL,
        key_hash bytea NOT NULL,
        prefix text NOT NULL,
        name text,
        scopes text[] NOT NULL,
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT api_key_company_fkey
          FOREIGN KEY (company_id) REFERENCES company (company_id) ON DELETE CASCADE,
        CONSTRAINT api_key_scopes_known CHECK (
          scopes <@ ARRAY['campaigns:read', 'campaigns:write'] AND cardinality(scopes) > 0
        )
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX api_key_hash_unique ON api_key (key_hash)`);
    await queryRunner.query(`CREATE INDEX api_key_company ON api_key (company_id, key_id)`);

    // Cohort rewards stand in the campaign's own row, so that the rules which tie them to
    // reward_amount are checks of one row: no interleaving of updates can break them.
    await queryRunner.query(`
      CREATE TABLE campaign (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT campaign_pkey PRIMARY KEY,
        post_id text NOT NULL,
        company_id text NOT NULL,
        type text NOT NULL,
        title text NOT NULL,
        description text NOT NULL,
        content_url text,
        category text NOT NULL,
        tagline text NOT NULL,
        reward_amount numeric(12, 2) NOT NULL,
        cohort_1_reward numeric(12, 2) NOT NULL,
        cohort_2_reward numeric(12, 2) NOT NULL,
        cohort_3_reward numeric(12, 2) NOT NULL,
        cohort_4_reward numeric(12, 2) NOT NULL,
        cohort_5_reward numeric(12, 2) NOT NULL,
        is_live boolean NOT NULL DEFAULT false,
        video_url text,
        thumbnail_url text,
        duration_seconds integer,
        has_feedback boolean,
        question_set_version integer,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT campaign_company_fkey FOREIGN KEY (company_id) REFERENCES company (company_id),
        CONSTRAINT campaign_type_known CHECK (type IN ('survey', 'advertisement')),
        CONSTRAINT campaign_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
        CONSTRAINT campaign_description_length
          CHECK (char_length(description) BETWEEN 1 AND 5000),
        CONSTRAINT campaign_category_length CHECK (char_length(category) BETWEEN 1 AND 100),
        CONSTRAINT campaign_tagline_length CHECK (char_length(tagline) BETWEEN 1 AND 200),
        CONSTRAINT campaign_content_url_length CHECK (char_length(content_url) BETWEEN 1 AND 2048),
        CONSTRAINT campaign_reward_amount_range
          CHECK (reward_amount > 0 AND reward_amount <= 1000000000),
        CONSTRAINT campaign_cohort_1_at_least_3 CHECK (cohort_1_reward >= 3),
        CONSTRAINT campaign_cohort_5_equals_reward CHECK (cohort_5_reward = reward_amount),
        CONSTRAINT campaign_cohort_rewards_range CHECK (
          cohort_1_reward <= 1000000000
          AND cohort_2_reward BETWEEN 0 AND 1000000000
          AND cohort_3_reward BETWEEN 0 AND 1000000000
          AND cohort_4_reward BETWEEN 0 AND 1000000000
        ),
        CONSTRAINT campaign_advertisement_fields CHECK (
          CASE WHEN type = 'advertisement'
            THEN video_url IS NOT NULL AND has_feedback IS NOT NULL
            ELSE video_url IS NULL AND has_feedback IS NULL
              AND thumbnail_url IS NULL AND duration_seconds IS NULL
          END
        ),
        CONSTRAINT campaign_duration_positive CHECK (duration_seconds > 0)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX campaign_post_id_unique ON campaign (post_id)`);

    await queryRunner.query(`
      CREATE TABLE question_set (
        question_id text CONSTRAINT question_set_pkey PRIMARY KEY,
        campaign_id bigint NOT NULL,
        version integer NOT NULL,
        questions jsonb NOT NULL,
        total_questions smallint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT question_set_campaign_fkey FOREIGN KEY (campaign_id) REFERENCES campaign (id),
        CONSTRAINT question_set_version_unique UNIQUE (campaign_id, version),
        CONSTRAINT question_set_questions CHECK (jsonb_typeof(questions) = 'array'),
        CONSTRAINT question_set_total CHECK (
          total_questions BETWEEN 1 AND 100 AND total_questions = jsonb_array_length(questions)
        )
      )`);
    // One column, so one current set a campaign; the pair of columns, so never another campaign's.
    await queryRunner.query(`
      ALTER TABLE campaign ADD CONSTRAINT campaign_question_set_fkey
        FOREIGN KEY (id, question_set_version) REFERENCES question_set (campaign_id, version)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE campaign DROP CONSTRAINT campaign_question_set_fkey`);
    await queryRunner.query(`DROP TABLE question_set`);
    await queryRunner.query(`DROP TABLE campaign`);
    await queryRunner.query(`DROP TABLE api_key`);
    await queryRunner.query(`DROP TABLE company`);
  }
}
