import { createSurvey } from './builders';
import { Answer, Client } from './client';
import { generateKey, TestKey } from './keys';
import { toggle } from './spending';

/** Generates a key whose campaigns may cost so much without an approval. */
export const approvedKey = (
  account: Client,
  approval_above: number,
  fields: object = {},
): Promise<TestKey> => generateKey(account, new Client(account.url), { approval_above, ...fields });

/** Returns the approval that a refused request waits for. */
export function waiting({ status, body }: Answer): string {
  expect([status, body.error?.code]).toEqual([422, 'approval_required']);
  return body.error!.approval_id!;
}

export const decide = (
  account: Client,
  decision: 'approve' | 'refuse',
  fields: object,
): Promise<Answer> => account.post(`/svc/approval/${decision}`, fields);

export const approvalOf = async (api: Client, id: string): Promise<any> =>
  (await api.get(`/svc/approval/${id}`)).data;

/** Lets a key ask for the start of a campaign of its own, and returns the approval. */
export async function requestedApproval(account: Client, fields: object = {}): Promise<string> {
  const { api } = await approvedKey(account, 0, fields);
  const { post_id } = await createSurvey(api, { max_responses: 10 });
  return waiting(await toggle(api, post_id, true));
}
