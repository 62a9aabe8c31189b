import { survey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { itOnPostgres } from '../support/engines';
import { liveSurvey } from '../support/fielding';
import { OTHER_TEST_SECRET, TEST_ENCRYPTION_KEY } from '../support/env';
import { Instances } from '../support/instances';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { TransactionContext } from '../../src/platform/database/transaction-context';
import { ApiError } from '../../src/platform/protocol/api-error';
import { IdempotencyService } from '../../src/platform/idempotency/idempotency.service';
import { RecordSeals } from '../../src/platform/idempotency/record-seal';

const withKey = (client: Client, key: string) => client.with({ 'idempotency-key': key });

describe('concurrent requests with one Idempotency-Key', () => {
  it('create one campaign, or are refused for the moment', async () => {
    const company = await registerCompany(service.client);
    const api = withKey(company.api, 'parallel');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/svc/survey/create', survey())),
    );
    const { body: list } = await company.api.get('/svc/campaign/list');
    expect(list.data.items).toHaveLength(1);
    for (const { status, body, headers } of answers) {
      if (status === 409) {
        expect(body.error?.code).toBe('idempotency_in_progress');
        expect(headers.get('retry-after')).toBe('1');
      } else {
        expect(status).toBe(200);
        expect(body.data.post_id).toBe(
          answers.find((each) => each.status === 200)!.body.data.post_id,
        );
      }
    }
  });

  it('of a platform do not wait for each other in campaigns of two companies', async () => {
    const platform = await platformClient(service);
    const companies = [
      await registerCompany(service.client),
      await registerCompany(service.client),
    ];
    const campaigns = await Promise.all(companies.map((company) => liveSurvey(company)));
    for (let round = 1; round <= 10; round += 1) {
      const api = withKey(platform, `round-${round}`);
      const answers = await Promise.all(
        campaigns.map((post_id) =>
          api.post('/svc/fielding/begin', { post_id, respondent_id: `r-${round}` }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('have their work undone and tried again where another one stored an outcome meanwhile', async () => {
    const transaction = service.app.get(TransactionContext);
    const request = { scope: 'test', key: 'lost-race', route: 'POST /', content: [] };
    const { scope, keyHash } = service.app.get(RecordSeals).current.addressOf(request);
    let attempts = 0;
    const answer = await service.app.get(IdempotencyService).once(request, async () => {
      attempts += 1;
      if (attempts === 1) {
        await transaction.manager.query(
          `INSERT INTO idempotency_record (scope, key_hash, fingerprint, outcome)
           VALUES ($1, $2, 'same', 'of the other')`,
          [scope, keyHash],
        );
      }
      return { body: attempts };
    });
    expect(answer).toEqual({ outcome: { body: 2 }, replayed: false });
    expect(
      await service.dataSource.query(
        `SELECT 1 FROM idempotency_record WHERE scope = $1 AND outcome <> 'of the other'`,
        [scope],
      ),
    ).toHaveLength(1);
  });

  itOnPostgres(
    'get the outcome of another one that was committed meanwhile, not the refusal it caused',
    async () => {
      const request = { scope: 'test', key: 'lost-version', route: 'PATCH /', content: [] };
      const { current } = service.app.get(RecordSeals);
      const { scope, keyHash } = current.addressOf(request);
      const answer = await service.app.get(IdempotencyService).once(request, async () => {
        await service.dataSource.query(
          `INSERT INTO idempotency_record (scope, key_hash, fingerprint, outcome)
           VALUES ($1, $2, $3, $4)`,
          [
            scope,
            keyHash,
            current.fingerprintOf(request),
            current.encrypt('{"body":"of the other"}', request),
          ],
        );
        throw new ApiError('version_conflict', 'The campaign has another version.');
      });
      expect(answer).toEqual({ outcome: { body: 'of the other' }, replayed: true });
    },
  );

  itOnPostgres(
    'to two instances in the middle of a change of ENCRYPTION_KEY work once',
    async () => {
      const instances = new Instances();
      try {
        const database = await instances.database();
        const keys = [TEST_ENCRYPTION_KEY, OTHER_TEST_SECRET] as const;
        const [one, other] = await Promise.all(
          [keys, keys.toReversed()].map(([ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS]) =>
            instances.start({ ...database, ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }),
          ),
        );
        const { api } = await registerCompany(one!.client);
        const clients = [api, new Client(other!.client.url, api.headers)];
        for (let round = 0; round < 20; round += 1) {
          await Promise.all(
            Array.from({ length: 10 }, (_, index) =>
              withKey(clients[index % 2]!, `round-${round}`).post('/svc/survey/create', survey()),
            ),
          );
        }
        const [{ count }] = await one!.sql.query('SELECT count(*)::int AS count FROM campaign');
        expect(count).toBe(20);
      } finally {
        await instances.drop();
      }
    },
  );
});
