import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { transpileModule } from 'typescript';
import { EXAMPLE_KEY_ID } from '../../src/api-key/api-key.dto';
import { EXAMPLE_POST_ID } from '../../src/campaign/post-id.field';
import { EXAMPLE_EMAIL } from '../../src/company/company.dto';
import { SAMPLE_BASE_URL } from '../../src/openapi/code-samples';
import { EXAMPLE_WEBHOOK_ID } from '../../src/webhook/webhook.dto';
import { EXAMPLE_PARTICIPATION_ID } from '../../src/fielding/fielding.dto';
import { EVERY_OPERATION_ID } from '../support/operation-order';
import { generatePlatformKey } from '../support/platform-keys';
import { startService, TestService } from '../support/service';

const run = promisify(execFile);

interface Sample {
  label: string;
  source: string;
}

/** The command for each language; every sample prints the response of the service. */
const RUNNERS: Readonly<Record<string, (source: string) => [file: string, args: string[]]>> = {
  curl: (source) => ['bash', ['-ec', source.replace('curl ', 'curl --no-progress-meter ')]],
  TypeScript: (source) => [
    process.execPath,
    ['--input-type=module', '--eval', transpileModule(source, {}).outputText],
  ],
  // Samples use `requests`, the library that most Python programs use for HTTP.
  Python: (source) => ['python3', ['-c', source]],
};

describe('the code samples of the reference', () => {
  let service: TestService;
  let samples: Map<string, Sample[]>;

  beforeAll(async () => {
    service = await startService();
    const { body } = await service.client.get('/reference/openapi.json');
    samples = new Map(
      Object.values<any>((body as any).paths)
        .flatMap((item) => Object.values<any>(item))
        .map((operation) => [operation.operationId, operation['x-codeSamples']]),
    );
  });

  afterAll(() => service.close());

  it('exist for every operation in every language', () => {
    expect([...samples.keys()].sort()).toEqual([...new Set(EVERY_OPERATION_ID)].sort());
    for (const each of samples.values()) {
      expect(each.map(({ label }) => label)).toEqual(Object.keys(RUNNERS));
    }
  });

  it.each(Object.keys(RUNNERS))(
    'work unchanged in %s',
    async (language) => {
      const { secret } = await generatePlatformKey(service.dataSource);
      const variables: Record<string, string> = { CAMPAIGN_PLATFORM_KEY: secret };
      const values = new Map([
        [SAMPLE_BASE_URL, service.client.url],
        // Nothing is sent to an address that is not public.
        ['https://example.com/webhooks', 'https://127.0.0.1/webhooks'],
        [EXAMPLE_EMAIL, `samples-${language.toLowerCase()}@example.com`],
      ]);
      for (const id of EVERY_OPERATION_ID) {
        const { source } = samples.get(id)!.find(({ label }) => label === language)!;
        const filled = [...values].reduce((text, [from, to]) => text.replaceAll(from, to), source);
        const { stdout, stderr } = await run(...RUNNERS[language]!(filled), {
          env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
        });
        expect([id, stderr]).toEqual([id, '']);
        expect(stdout).not.toMatch(/request_id/);
        expect(stdout.trim()).not.toBe('');
        const printed = (name: string) =>
          new RegExp(`['"]?${name}['"]?: ?['"]([^'"]+)`).exec(stdout);
        for (const [field, example] of [
          ['post_id', EXAMPLE_POST_ID],
          ['key_id', EXAMPLE_KEY_ID],
          ['webhook_id', EXAMPLE_WEBHOOK_ID],
          ['participation_id', EXAMPLE_PARTICIPATION_ID],
        ] as const) {
          const [, value] = printed(field) ?? [];
          if (value !== undefined) {
            values.set(example, value);
          }
        }
        variables.CAMPAIGN_TOKEN = printed('access_token')?.[1] ?? variables.CAMPAIGN_TOKEN ?? '';
        variables.CAMPAIGN_API_KEY = printed('api_key')?.[1] ?? variables.CAMPAIGN_API_KEY ?? '';
      }
    },
    120_000,
  );
});
