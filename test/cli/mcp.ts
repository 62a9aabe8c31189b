import { join } from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { registerCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { generateKey } from '../support/keys';
import { installedSdk } from '../support/sdk';
import { service } from '../support/service';

describe('campaign mcp', () => {
  let script: string;

  beforeAll(async () => {
    const { directory } = await installedSdk();
    script = join(directory, 'node_modules/campaign-service-client/dist/cli/bin.js');
  }, 180_000);

  /** The official client, with the command line as its server. */
  async function connect(legacy: boolean, env: Record<string, string>): Promise<McpClient> {
    const client = new McpClient(
      { name: 'test-agent', version: '1.2' },
      legacy ? {} : { versionNegotiation: { mode: 'auto' } },
    );
    const args = [script, 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    return client;
  }

  it.each([
    ['of 2025', true],
    ['that are newer', false],
  ])('passes messages on for clients %s', async (_, legacy) => {
    const company = await registerCompany(service.client);
    const key = await generateKey(company.account, service.client, { mode: 'test' });
    const client = await connect(legacy, {
      CAMPAIGN_URL: service.client.url,
      CAMPAIGN_API_KEY: key.api_key,
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('plan_campaign');
    const calls = await Promise.all(
      Array.from({ length: 5 }, () => client.callTool({ name: 'who_am_i', arguments: {} })),
    );
    for (const { structuredContent } of calls) {
      expect(structuredContent).toMatchObject({ key: { key_id: key.key_id, mode: 'test' } });
    }
    await client.close();
  });

  it('answers with an error if the service cannot be reached, and needs a key', async () => {
    const cli = await CommandLine.start();
    const stdin = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\nno JSON\n';
    const env = { CAMPAIGN_URL: 'http://127.0.0.1:9', CAMPAIGN_API_KEY: 'csk_x' };
    const { code, stdout } = await cli.run(['mcp'], { stdin, env });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ error: { code: -32_000 } });
    expect(answers.find(({ id }) => id === null)).toMatchObject({ error: { code: -32_700 } });
    expect((await cli.run(['mcp'], { stdin })).code).toBe(5);
    await cli.stop();
  });
});
