import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

/** Names that stand for the private networks a proxy can be in. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const MAX_HOPS = 10;

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (NETWORK_NAMES.includes(text)) {
    return true;
  }
  return (
    most !== undefined &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}

function isTrustProxy(value: unknown): boolean {
  if (typeof value !== 'string') {
    return false;
  }
  return /^\d+$/.test(value)
    ? Number(value) >= 1 && Number(value) <= MAX_HOPS
    : value.split(',').every((each) => isNetwork(each.trim()));
}

export const IsTrustProxy = () =>
  ValidateBy(
    { name: 'isTrustProxy', validator: { validate: isTrustProxy } },
    {
      message: `must be a number of proxies from 1 to ${MAX_HOPS} or a comma-separated list of their addresses or networks`,
    },
  );

/** Which proxies' `X-Forwarded-For` is believed, as Fastify takes it; none without a setting. */
export function readTrustProxy(
  setting: string | undefined,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (setting === undefined) {
    return false;
  }
  const hops = Number(setting);
  return Number.isNaN(hops)
    ? setting.split(',').map((each) => each.trim())
    : (_address, hop) => hop < hops;
}
