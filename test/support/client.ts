import { randomBytes } from 'node:crypto';

/** A response of the service. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The parsed body; the text of a CSV. */
    readonly body: {
      success: boolean;
      message: string;
      data: any;
      error?: {
        code: string;
        request_id: string;
        details: { field: string; code: string; message: string }[];
        rule?: string;
        reward?: number;
        currency?: string;
        limit?: number;
        per?: string;
        left?: number;
        required?: number;
        resets_at?: string | null;
        approval_id?: string;
        expires_at?: string;
      };
    },
  ) {}

  /** The data of a success; anything else fails the test. */
  get data(): any {
    expect([this.status, this.body.error]).toEqual([200, undefined]);
    return this.body.data;
  }
}

/** Sends requests to a service over HTTP with its credential. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** A copy of the client with more headers, such as a credential. */
  with(headers: Record<string, string>): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  withKey(key: string): Client {
    return this.with({ 'x-api-key': key });
  }

  withToken(token: string): Client {
    return this.with({ authorization: `Bearer ${token}` });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send('POST', path, body);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.send('PATCH', path, body);
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.send('PUT', path, body);
  }

  /** Sends JSON, or a string unchanged. Without a body there is no content type. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isTable = response.headers.get('content-type')?.startsWith('text/csv') === true;
    const parsed: unknown = isTable ? text : JSON.parse(text);
    return new Answer(response.status, response.headers, parsed as Answer['body']);
  }
}

/** A registered company with both kinds of credential. */
export interface TestCompany {
  companyId: string;
  email: string;
  /** With the account token. */
  account: Client;
  /** With an API key that has every scope. */
  api: Client;
}

export const PASSWORD = 'correct horse battery staple';

/** What a company is registered with besides its password. */
interface Registration {
  name: string;
  email: string;
  currency?: string;
}

/** A registered company, its account token and an API key that has every scope. */
export interface Registered {
  company_id: string;
  access_token: string;
  api_key: string;
}

/**
 * Registers companies with {@link PASSWORD} in a service of this process, by the URL of the
 * service. It makes no requests, and hashes the password once for all companies.
 */
export const registrations = new Map<string, (company: Registration) => Promise<Registered>>();

async function registerOverHttp(client: Client, company: Registration): Promise<Registered> {
  const { data } = await client.post('/api/company/create', { ...company, password: PASSWORD });
  const key = await client.withToken(data.access_token).post('/svc/api-key/generate');
  return { ...data, api_key: key.data.api_key };
}

/** Registers a company and generates a key for it. */
export async function registerCompany(
  client: Client,
  fields: { currency?: string } = {},
): Promise<TestCompany> {
  const email = `company-${randomBytes(8).toString('hex')}@example.com`;
  const company = { name: 'A Company', email, ...fields };
  const register = registrations.get(client.url);
  const registered = await (register?.(company) ?? registerOverHttp(client, company));
  return {
    companyId: registered.company_id,
    email,
    account: client.withToken(registered.access_token),
    api: client.withKey(registered.api_key),
  };
}
