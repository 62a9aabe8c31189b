import { storedEnvironment } from '../../src/http/environment.rules';
import { createSurvey } from '../support/builders';
import { itOnPostgres } from '../support/engines';
import { allEvents } from '../support/feed';
import { companyForEach } from '../support/fixtures';
import { service } from '../support/service';

describe('an archive that gives up the deliveries of a disabled webhook', () => {
  const company = companyForEach();

  itOnPostgres('waits for numbering before it locks the webhook', async () => {
    await createSurvey(company.api);
    await allEvents(company.api, 1);
    const ids = [storedEnvironment(company.companyId)];
    await service.dataSource.transaction(async (numbering) => {
      await numbering.query('SELECT FROM event_sequence WHERE company_id = $1 FOR UPDATE', ids);
      const giveUp = service.dataSource.transaction(async (session) => {
        await session.query(`SET LOCAL lock_timeout = '100ms'`);
        await session.query('SELECT give_up_deliveries($1, now())', ids);
      });
      // A worker of a cluster does not know the transaction's limit, but that of its statements.
      const code = expect.stringMatching(/^(55P03|57014)$/);
      await expect(giveUp).rejects.toMatchObject({ code });
    });
  });
});
