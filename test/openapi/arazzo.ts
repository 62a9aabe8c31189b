import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { choice } from '../support/builders';
import { PASSWORD, registerCompany } from '../support/client';
import { temporaryDirectory } from '../support/databases';
import { liveQuestionnaire } from '../support/fielding';
import { generatePlatformKey } from '../support/platforms';
import { service } from '../support/service';

const root = join(__dirname, '../..');
const CLI = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const FILE = join(root, 'arazzo.json');

const arazzo = JSON.parse(readFileSync(FILE, 'utf8'));

describe('the workflows of the first hours', () => {
  let directory: string;

  beforeAll(() => {
    directory = temporaryDirectory();
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  /** Runs a workflow of the document with the runner of Redocly, and returns what it prints. */
  async function run(workflow: string, inputs: Record<string, string>): Promise<string> {
    const given = Object.entries(inputs).flatMap(([name, value]) => [
      '--input',
      `${name}=${value}`,
    ]);
    const server = `campaigns=${service.client.url}`;
    const args = [CLI, 'respect', FILE, '--server', server, '--workflow', workflow, ...given];
    const { stdout, stderr } = await promisify(execFile)('node', args, {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, REDOCLY_TELEMETRY: 'off', CI: 'true' },
    });
    return stdout + stderr;
  }

  /** Every step of a workflow passed, and each response was as the OpenAPI document says. */
  function expectPassed(output: string, workflow: string): void {
    const { steps } = arazzo.workflows.find((each: any) => each.workflowId === workflow);
    expect(output).toContain(`Steps: ${steps.length} passed, ${steps.length} total`);
    expect(output.match(/✓ schema check/g)).toHaveLength(steps.length);
  }

  it('are served beside the OpenAPI document that they refer to', async () => {
    const response = await fetch(`${service.client.url}/arazzo.json`);
    expect(await response.json()).toEqual(arazzo);
    const [{ url }] = arazzo.sourceDescriptions;
    expect(new URL(url, response.url).pathname).toBe('/openapi.json');
    const openapi: any = (await service.client.get('/openapi.json')).body;
    expect(arazzo.info.version).toBe(openapi.info.version);
  });

  it('take a company from nothing to results', async () => {
    const email = `arazzo-${randomBytes(8).toString('hex')}@example.com`;
    expectPassed(await run('results', { email, password: PASSWORD }), 'results');
  });

  it('take a platform from a key to a paid respondent', async () => {
    const company = await registerCompany(service.client);
    const post_id = await liveQuestionnaire(company, [choice({ options: ['One', 'More'] })]);
    const { secret } = await generatePlatformKey(service.dataSource);
    const inputs = { platform_key: secret, post_id, answer: 'More', respondent_id: post_id };
    expectPassed(await run('paid-respondent', inputs), 'paid-respondent');
    const { data } = await company.api.get(`/svc/campaign/${post_id}`);
    expect(data.progress.spent).toBe(100);
  });

  it('take a receiver to its first message', async () => {
    const { api } = await registerCompany(service.client);
    const inputs = { api_key: api.headers['x-api-key']!, url: 'https://example.com/webhooks' };
    expectPassed(await run('verified-message', inputs), 'verified-message');
  });
});
