import { randomBytes } from 'node:crypto';

/** A response of the service. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The parsed body. */
    readonly body: {
      success: boolean;
      message: string;
      data: any;
      error?: {
        code: string;
        request_id: string;
        details: { field: string; code: string; message: string }[];
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
    return new Answer(response.status, response.headers, JSON.parse(text) as Answer['body']);
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

/** Registers a company and generates a key for it. */
export async function registerCompany(
  client: Client,
  fields: { currency?: string } = {},
): Promise<TestCompany> {
  const email = `company-${randomBytes(8).toString('hex')}@example.com`;
  const registration = await client.post('/api/company/create', {
    name: 'A Company',
    email,
    password: PASSWORD,
    ...fields,
  });
  const account = client.withToken(registration.body.data.access_token);
  const key = await account.post('/svc/api-key/generate');
  return {
    companyId: registration.body.data.company_id,
    email,
    account,
    api: client.withKey(key.body.data.api_key),
  };
}
