import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

/** Names that stand for the private networks that a proxy can be in. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const LIST =
  "a comma-separated list of your proxies' addresses or networks, such as 10.0.0.0/8, or loopback, linklocal, uniquelocal";

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (NETWORK_NAMES.includes(text)) {
    return true;
  }
  return (
    most !== undefined &&
    rest.length === 0 &&
    // A network of 0 bits would include everyone, and everyone could forge the header.
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
  );
}

function isTrustProxy(value: unknown): boolean {
  return typeof value === 'string' && value.split(',').every((each) => isNetwork(each.trim()));
}

/** Requires a list of proxies whose `X-Forwarded-For` is trusted, in Fastify's format. */
export const IsTrustProxy = () =>
  ValidateBy(
    { name: 'isTrustProxy', validator: { validate: isTrustProxy } },
    {
      message: ({ value }) =>
        /^\d+$/.test(String(value))
          ? `must be ${LIST}; a number of proxies cannot tell a proxy from a client that connects directly`
          : `must be ${LIST}`,
    },
  );
