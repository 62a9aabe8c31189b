import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client } from './client';

/** What a tool has returned. */
export interface ToolAnswer {
  isError: boolean;
  /** The result as data, and as the text that a model reads. */
  data: any;
  text: string;
}

interface Options {
  /** Whether the client speaks a revision of 2025. */
  legacy?: boolean;
  /** Whether the key is sent as a bearer token. */
  bearer?: boolean;
  /** Further headers of every request. */
  also?: Record<string, string>;
}

/** An agent: the official client of the Model Context Protocol, with an API key. */
export class Agent {
  private constructor(readonly client: McpClient) {}

  /** Connects to a service with the API key of a client. */
  static async connect(
    api: Client,
    { legacy = false, bearer = true, also = {} }: Options = {},
  ): Promise<Agent> {
    const key = api.headers['x-api-key']!;
    const credential: Record<string, string> = bearer
      ? { authorization: `Bearer ${key}` }
      : { 'x-api-key': key };
    const headers = { ...credential, ...also };
    const client = new McpClient(
      { name: 'test-agent', version: '1.2' },
      legacy ? {} : { versionNegotiation: { mode: 'auto' } },
    );
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', api.url), {
      requestInit: { headers },
    });
    await client.connect(transport);
    return new Agent(client);
  }

  async tools(): Promise<any[]> {
    return (await this.client.listTools()).tools;
  }

  async names(): Promise<string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  /** Calls a tool, whatever comes of it. */
  async call(name: string, args: object = {}): Promise<ToolAnswer> {
    const result: any = await this.client.callTool({ name, arguments: args as any });
    const [{ text }] = result.content;
    return { isError: result.isError === true, data: result.structuredContent, text };
  }

  /** Calls a tool that must succeed, and returns its data. */
  async use(name: string, args: object = {}): Promise<any> {
    const { isError, data, text } = await this.call(name, args);
    expect([name, isError, isError ? text : '']).toEqual([name, false, '']);
    return data;
  }

  /** Calls a tool that must be refused, and returns the error. */
  async refused(name: string, args: object = {}): Promise<any> {
    const { isError, text } = await this.call(name, args);
    expect([name, isError]).toEqual([name, true]);
    return JSON.parse(text).error;
  }
}
