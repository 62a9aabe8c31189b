import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { itOnOneServer } from '../support/engines';
import { allEvents } from '../support/feed';
import { companyForEach } from '../support/fixtures';
import { untilLockWait } from '../support/lock-waits';
import { service } from '../support/service';

describe('an archive that gives up the deliveries of a disabled webhook', () => {
  const company = companyForEach();

  itOnOneServer('waits for numbering before it locks the webhook', async () => {
    const url = 'https://receiver.example/hook';
    const { body } = await company.api.post('/svc/webhook/create', { url });
    const { webhook_id } = body.data;
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: false });
    await allEvents(company.api, 2);
    const ids = [storedEnvironment(company.companyId)];
    let givingUp: Promise<unknown> = Promise.resolve();
    await service.dataSource.transaction(async (numbering) => {
      await numbering.query('SELECT FROM event_sequence WHERE company_id = $1 FOR UPDATE', ids);
      const later = `now() + interval '1 hour'`;
      givingUp = service.dataSource.query(`SELECT give_up_deliveries($1, ${later}, 1000)`, ids);
      await untilLockWait(service.dataSource, 'give_up_deliveries');
      await numbering.query(
        'SELECT FROM webhook_endpoint WHERE company_id = $1 FOR UPDATE NOWAIT',
        ids,
      );
    });
    await givingUp;
  });
});
