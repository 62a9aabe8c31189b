import { ValidateBy } from 'class-validator';

const SCHEME = /^postgres(ql)?:\/\/./;

/** What is between the scheme and the path. */
const AUTHORITY = /^\w+:\/\/([^/?#]*)/;

/** Parses the URL as the driver does, which allows a user without a host, for a socket. */
function parse(url: string): URL | undefined {
  try {
    return new URL(url.replace('@/', '@localhost/'));
  } catch {
    return undefined;
  }
}

/** Returns why a URL names no database that the driver can connect to; `undefined` if it does. */
function problemOf(url: string): string | undefined {
  if (!SCHEME.test(url)) {
    return 'must be a postgres:// or postgresql:// URL';
  }
  const hosts = AUTHORITY.exec(url)?.[1]?.split('@').at(-1) ?? '';
  const parsed = parse(url);
  if (hosts.includes(',') || parsed?.searchParams.get('host')?.includes(',') === true) {
    return (
      'names several hosts, of which the service would have to find the primary: name one address ' +
      'that always leads to the primary, such as that of a proxy'
    );
  }
  return parsed === undefined
    ? 'is not a valid URL: percent-encode the special characters of the user and the password, ' +
        'such as # as %23 and / as %2F'
    : undefined;
}

/** A variable with the URL of a PostgreSQL database. */
export function IsDatabaseUrl(): PropertyDecorator {
  const problem = (value: unknown) => problemOf(typeof value === 'string' ? value : '');
  return ValidateBy({
    name: 'isDatabaseUrl',
    validator: {
      validate: (value) => problem(value) === undefined,
      defaultMessage: (given) => problem(given?.value) ?? '',
    },
  });
}

/** Returns where a database is, without the user and the password of its URL. */
export function addressOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'));
  return (searchParams.get('host') ?? host) + pathname;
}
