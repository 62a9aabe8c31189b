import { registerCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { begun, liveSurvey, submit } from '../support/fielding';
import { build, outputOf, RunningService, runService } from '../support/process';

const COMMAND = 'src/operations/settlement/command.js';
const PLATFORM_KEY = 'src/access/platform-key/command.js';

beforeAll(build);

describe('the settlement command', () => {
  let database: TestDatabase;
  let service: RunningService;

  beforeEach(async () => {
    database = await createTestDatabase();
    service = await runService(database.variables);
  });

  afterEach(async () => {
    await service.stop();
    await database.drop();
  });

  const succeed = (...args: string[]) => outputOf(COMMAND, database.variables, ...args);

  it('closes while the service runs, and pays after it has stopped', async () => {
    const key = await outputOf(PLATFORM_KEY, database.variables, 'generate', '--name', 'app');
    const platform = service.client.withKey(/cpk_\w+/.exec(key)![0]);
    const company = await registerCompany(service.client);
    const place = await begun(platform, await liveSurvey(company), 'ann');
    expect((await submit(platform, place, 9)).status).toBe(200);

    const closed = await succeed('close', '--platform', 'app');
    const [id = ''] = /stl_\w{26}/.exec(closed) ?? [];
    expect(closed).toMatch(
      new RegExp(
        `^Closed 1 settlements of 1 companies.\nSETTLEMENT .+\n${id} +${company.companyId} +app +1 +100.00 USD .+ - +-\n$`,
      ),
    );
    const { data } = await platform.get(`/svc/fielding/settlement/${id}`);
    expect(data.settlement).toMatchObject({ net: 100, state: 'closed' });
    await service.stop();
    expect(await succeed('paid', '--settlement', id, '--reference', 'SEPA 1')).toContain('SEPA 1');
  });
});
