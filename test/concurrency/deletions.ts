import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { holdDeletions } from '../support/deletions';
import { itOnOneServer } from '../support/engines';
import { companyForEach } from '../support/fixtures';
import { createGuardrail } from '../support/guardrails';
import { untilLockWait } from '../support/lock-waits';
import { service } from '../support/service';

const INSERT = `
  INSERT INTO guardrail_watch (company_id, guardrail_id, post_id, since_seq)
  SELECT $1, $2, post_id, 0 FROM unnest($3::text[]) AS post_id`;

const LOCK = 'SELECT FROM guardrail_watch WHERE company_id = $1 AND post_id = $2 FOR UPDATE NOWAIT';

describe('the removal of what a deleted guardrail remembers', () => {
  const company = companyForEach();

  afterEach(() => {
    jest.restoreAllMocks();
  });

  itOnOneServer('locks the campaigns in the order in which an erasure does', async () => {
    const { guardrail_id } = await createGuardrail(company.api);
    const companyId = storedEnvironment(company.companyId);
    const remove = holdDeletions(service.app);
    await service.dataSource.query(INSERT, [companyId, guardrail_id, ['c', 'b', 'a']]);
    await company.api.post('/svc/guardrail/delete', { guardrail_id });
    let removal: Promise<void> = Promise.resolve();
    await service.dataSource.transaction(async (erasure) => {
      await erasure.query(LOCK, [companyId, 'b']);
      removal = remove();
      await untilLockWait(service.dataSource, 'DELETE FROM guardrail_watch');
      await erasure.query(LOCK, [companyId, 'c']);
    });
    await removal;
    const left = 'SELECT FROM guardrail_watch WHERE company_id = $1';
    expect(await service.dataSource.query(left, [companyId])).toEqual([]);
  });
});
