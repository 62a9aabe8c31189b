import { randomBytes } from 'node:crypto';

/** An answer of the service, as it came over the wire. */
export interface Answer<T = any> {
  status: number;
  headers: Headers;
  /** The parsed body. */
  body: {
    success: boolean;
    message: string;
    data: T;
    error?: {
      code: string;
      request_id: string;
      details: { field: string; code: string; message: string }[];
    };
  };
}

/** Talks to a service over real HTTP, with the credential it was given. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** The same client with more headers, such as a credential. */
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

  /** Sends JSON, or a string as it is; without a body there is no content type either. */
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
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(text) as Answer['body'],
    };
  }
}

/** A registered company with the two credentials it can have. */
export interface TestCompany {
  companyId: string;
  email: string;
  /** With the account token. */
  account: Client;
  /** With an API key of both scopes. */
  api: Client;
}

export const PASSWORD = 'correct horse battery staple';

/** Registers a company and generates a key for it, as a client would. */
export async function registerCompany(client: Client): Promise<TestCompany> {
  const email = `company-${randomBytes(8).toString('hex')}@example.com`;
  const registration = await client.post('/api/company/create', {
    name: 'A Company',
    email,
    password: PASSWORD,
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
