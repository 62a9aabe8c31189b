/** Header names and values. */
export type Headers = Record<string, string>;

/** What authenticates a request. */
export interface Credential {
  headers(): Promise<Headers>;
  /** Called when the service rejects the headers; returns whether new ones may work. */
  renew(rejected: Headers): boolean;
}

/**
 * Checks the options of a client that name a credential.
 *
 * @throws TypeError if one of them is empty, as an unset environment variable is, or all are absent
 */
export function requireCredential<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): void {
  const given = names.filter((name) => name in options);
  for (const name of given) {
    const value: unknown = options[name];
    const parts = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    if (parts.some((part) => part === undefined || part === null || part === '')) {
      throw new TypeError(`${name} is empty: is the environment variable set?`);
    }
  }
  if (given.length === 0) {
    throw new TypeError(`The client needs a credential: ${names.join(' or ')}`);
  }
}

/** An API key or a platform key. */
export function keyCredential(key: string): Credential {
  return { headers: async () => ({ 'x-api-key': key }), renew: () => false };
}

/** A fixed token, or a function that returns the current one. */
export function tokenCredential(token: string | (() => string | Promise<string>)): Credential {
  if (typeof token === 'string') {
    return { headers: async () => bearer(token), renew: () => false };
  }
  return { headers: async () => bearer(await token()), renew: () => true };
}

interface IssuedToken {
  access_token: string;
  /** Seconds. */
  expires_in: number;
}

/**
 * A token from a log-in, used for nine tenths of its lifetime. Concurrent calls share one log-in.
 */
export function accountCredential(logIn: () => PromiseLike<IssuedToken>): Credential {
  let current: { headers: Headers; renewAt: number } | undefined;
  let pending: Promise<Headers> | undefined;
  const obtain = async () => {
    const askedAt = Date.now();
    const { access_token, expires_in } = await logIn();
    current = { headers: bearer(access_token), renewAt: askedAt + expires_in * 900 };
    return current.headers;
  };
  return {
    headers: async () => {
      if (current !== undefined && Date.now() < current.renewAt) {
        return current.headers;
      }
      pending ??= obtain().finally(() => (pending = undefined));
      return pending;
    },
    renew: (rejected) => {
      if (current?.headers === rejected) {
        current = undefined;
      }
      return true;
    },
  };
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}
