import type { DataSource } from 'typeorm';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** Copies of the one response of a company ($2), with the next numbers of its log. */
const COPIES = [
  `INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
     question_set_version, rewards, held, state, begun_at, expires_at, closed_at, attention_score,
     cohort, reward, submission, answers)
   SELECT company_id, campaign_id, lpad(n::text, 32, '0')::uuid, platform,
     sha256(n::text::bytea), question_set_version, rewards, held, state, begun_at, expires_at,
     closed_at, attention_score, cohort, reward, submission, answers
   FROM participation, generate_series(1, $1) AS n WHERE company_id = $2`,
  `INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
   SELECT event.company_id, lpad(n::text, 32, '0')::uuid, 1, type, last_seq + n, actor, changes,
     event.created_at
   FROM event JOIN event_sequence USING (company_id), generate_series(1, $1) AS n
   WHERE type = 'response.submitted' AND event.company_id = $2`,
  'UPDATE event_sequence SET last_seq = last_seq + $1 WHERE company_id = $2',
  `UPDATE campaign_progress SET taken = taken + $1, answered = answered + $1
   WHERE company_id = $2 AND answered = 1`,
];

/** Copies the one response of a company, whose events all have a number. */
export async function copyResponse(
  database: { query: (statement: string, parameters: unknown[]) => Promise<unknown> },
  companyId: string,
  copies: number,
): Promise<void> {
  for (const statement of COPIES) {
    await database.query(statement, [copies, storedEnvironment(companyId)]);
  }
}

/** Appends events to the log of a company that tell of no response. */
export async function appendEvents(
  dataSource: DataSource,
  companyId: string,
  events: number,
): Promise<void> {
  const parameters = [events, storedEnvironment(companyId)];
  await dataSource.query(
    `INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
     SELECT company_id, gen_random_uuid(), 1, 'webhook.tested', last_seq + n, 'test', '{}',
       clock_timestamp()
     FROM event_sequence, generate_series(1, $1::integer) AS n WHERE company_id = $2`,
    parameters,
  );
  await dataSource.query(
    'UPDATE event_sequence SET last_seq = last_seq + $1 WHERE company_id = $2',
    parameters,
  );
}
