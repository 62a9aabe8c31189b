import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { EXAMPLE_KEY_ID } from '../../src/access/api-key/api-key.examples';
import { EXAMPLE_POST_ID } from '../../src/campaigns/campaign/post-id.field';
import { EXAMPLE_EMAIL } from '../../src/access/company/company.dto';
import { EXAMPLE_LINK_ID } from '../../src/insight/results-page/results-link.dto';
import { EXAMPLE_GUARDRAIL_ID } from '../../src/campaigns/guardrail/guardrail.dto';
import { EXAMPLE_EVENT_ID } from '../../src/delivery/feed/feed.dto';
import { EXAMPLE_WEBHOOK_ID } from '../../src/delivery/webhook/webhook.dto';
import { EXAMPLE_PARTICIPATION_ID } from '../../src/fielding/participations/fielding.fields';
import { EXAMPLE_APPROVAL_ID } from '../../src/campaigns/approval/approval.dto';
import { EXAMPLE_SETTLEMENT_ID } from '../../src/operations/settlement/settlement.dto';
import { requestedApproval } from '../support/approvals';
import { Interpreter, Printed } from '../support/interpreter';
import { EVERY_OPERATION_ID, NEEDS_TEST_KEY } from '../support/operation-order';
import { generatePlatformKey } from '../support/platforms';
import { installedSdk, removeInstalledSdk } from '../support/sdk';
import { serviceForAll } from '../support/service';
import { closeAs } from '../support/settlements';

const run = promisify(execFile);

interface Sample {
  label: string;
  source: string;
}

interface Runner {
  run(source: string, variables: Record<string, string>): Promise<Printed>;
  stop(): Promise<void>;
}

const CURL: Runner = {
  run: (source, variables) =>
    run('bash', ['--norc', '-ec', source.replace('curl ', 'curl --no-progress-meter ')], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    }),
  stop: () => Promise.resolve(),
};

async function typescript(): Promise<Runner> {
  const node = Interpreter.javascript();
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext };
  const { root } = await installedSdk();
  const sdk = pathToFileURL(join(root, 'dist/esm/index.js')).href;
  return {
    run: (source, variables) => {
      const { outputText } = transpileModule(source, { compilerOptions });
      return node.run(outputText.replace("'campaign-service-client'", `'${sdk}'`), variables);
    },
    stop: () => node.stop(),
  };
}

/** What runs each language; every sample prints the response of the service. */
const RUNNERS: Readonly<Record<string, () => Runner | Promise<Runner>>> = {
  curl: () => CURL,
  TypeScript: typescript,
  // Samples use `requests`, the library that most Python programs use for HTTP.
  Python: Interpreter.python,
};

/** A sample on a page: its language, its operation and its source. */
const SAMPLE =
  /<pre\s+class="sample"\s+data-language="([^"]+)"\s+data-operation="([^"]+)"\s*><code>([^]*?)<\/code>/g;

const text = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the code samples of the reference', () => {
  const service = serviceForAll();
  const samples = new Map<string, Sample[]>();

  beforeAll(async () => {
    // The TypeScript samples use the SDK as it is installed.
    await installedSdk();
    const { url } = service.client;
    const home = await (await fetch(`${url}/reference`)).text();
    for (const [, path] of new Set(home.matchAll(/<h3><a href="([^"]+)"/g))) {
      const html = await (await fetch(new URL(path!, `${url}/reference`))).text();
      for (const [, label, id, source] of html.matchAll(SAMPLE)) {
        samples.set(id!, [...(samples.get(id!) ?? []), { label: label!, source: text(source!) }]);
      }
    }
  });

  afterAll(async () => {
    await removeInstalledSdk();
  });

  it('exist for every operation in every language', () => {
    expect([...samples.keys()].sort()).toEqual(
      [...new Set(EVERY_OPERATION_ID), NEEDS_TEST_KEY].sort(),
    );
    for (const each of samples.values()) {
      expect(each.map(({ label }) => label)).toEqual(Object.keys(RUNNERS));
    }
  });

  it.each(Object.keys(RUNNERS))(
    'work unchanged in %s',
    async (language) => {
      const runner = await RUNNERS[language]!();
      const { secret } = await generatePlatformKey(service.dataSource);
      const variables: Record<string, string> = {
        CAMPAIGN_URL: service.client.url,
        CAMPAIGN_PLATFORM_KEY: secret,
      };
      const values = new Map([
        // Nothing is sent to an address that is not public.
        ['https://example.com/webhooks', 'https://127.0.0.1/webhooks'],
        [EXAMPLE_EMAIL, `samples-${language.toLowerCase()}@example.com`],
      ]);
      for (const id of EVERY_OPERATION_ID) {
        if (id === 'listSettlements') {
          // The operator's part.
          await closeAs(service.dataSource);
        }
        if (id === 'listApprovals') {
          // The part of a program that has another key.
          await requestedApproval(service.client.withToken(variables.CAMPAIGN_TOKEN!));
        }
        const { source } = samples.get(id)!.find(({ label }) => label === language)!;
        const filled = [...values].reduce((text, [from, to]) => text.replaceAll(from, to), source);
        const { stdout, stderr } = await runner.run(filled, variables);
        expect([id, stderr]).toEqual([id, '']);
        expect(stdout).not.toMatch(/request_id/);
        expect(stdout.trim()).not.toBe('');
        const printed = (name: string) =>
          new RegExp(`['"]?${name}['"]?: ?['"]([^'"]+)`).exec(stdout);
        for (const [field, example] of [
          ['post_id', EXAMPLE_POST_ID],
          ['key_id', EXAMPLE_KEY_ID],
          ['webhook_id', EXAMPLE_WEBHOOK_ID],
          ['event_id', EXAMPLE_EVENT_ID],
          ['link_id', EXAMPLE_LINK_ID],
          ['participation_id', EXAMPLE_PARTICIPATION_ID],
          ['guardrail_id', EXAMPLE_GUARDRAIL_ID],
          ['settlement_id', EXAMPLE_SETTLEMENT_ID],
          ['approval_id', EXAMPLE_APPROVAL_ID],
        ] as const) {
          const [, value] = printed(field) ?? [];
          if (value !== undefined) {
            values.set(example, value);
          }
        }
        variables.CAMPAIGN_TOKEN = printed('access_token')?.[1] ?? variables.CAMPAIGN_TOKEN ?? '';
        variables.CAMPAIGN_API_KEY = printed('api_key')?.[1] ?? variables.CAMPAIGN_API_KEY ?? '';
      }
      await runner.stop();
    },
    120_000,
  );
});
