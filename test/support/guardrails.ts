import type { DataSource } from 'typeorm';
import type { Client } from './client';
import { eventually } from './eventually';
import { begun, submit } from './fielding';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** A guardrail that stops a campaign once it has spent more than 150. */
export function guardrail(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Too dear', when: { all: [spent(150)] }, then: 'stop', ...fields };
}

/** The condition that a campaign has spent more than an amount. */
export const spent = (value: number) => ({ metric: 'spent', op: 'gt', value });

/** Creates a guardrail. */
export async function createGuardrail(
  api: Client,
  fields: Record<string, unknown> = {},
): Promise<any> {
  return (await api.post('/svc/guardrail/create', guardrail(fields))).data;
}

/** The guardrails of a company. */
export async function guardrailsOf(api: Client, query = ''): Promise<any[]> {
  const { data } = await api.get(`/svc/guardrail/list${query}`);
  return data.items;
}

/** Lets respondents submit, one after the other, each with an attention score. */
export async function respond(
  platform: Client,
  postId: string,
  scores: readonly number[],
  prefix = 'respondent',
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, score] of scores.entries()) {
    const part = await begun(platform, postId, `${prefix} ${postId} ${index}`);
    expect((await submit(platform, part, score)).status).toBe(200);
    ids.push(part.participation_id);
  }
  return ids;
}

/** Waits until everything of a company is numbered, and its guardrails have read all of it. */
export const untilGuardrailsRead = (database: Pick<DataSource, 'query'>, companyId: string) =>
  eventually(async () => {
    const [row] = await database.query(
      `SELECT s.last_seq = p.seq AND NOT EXISTS (
         SELECT FROM unnumbered_event AS e WHERE e.company_id = $1
       ) AS done
       FROM guardrail_position AS p JOIN event_sequence AS s USING (company_id)
       WHERE p.company_id = $1`,
      [storedEnvironment(companyId)],
    );
    expect(row).toEqual({ done: true });
  });
