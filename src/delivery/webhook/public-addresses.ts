import { NODATA, resolve4, resolve6 } from 'node:dns/promises';
import type { Agent, AgentOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

/**
 * The global addresses of IPv6, 2000::/3. The agent knows the special ones among them, but not
 * every range outside of them.
 */
const GLOBAL_IPV6 = /^[23][0-9a-f]{3}:/i;

const isInside = (ipv6: string) => !GLOBAL_IPV6.test(ipv6);

/** The code of this file's refusals. The agent's have none, but a message of their own. */
const REFUSED = 'ADDRESS_NOT_ALLOWED';
const REFUSED_BY_AGENT = /^DNS lookup .* is not allowed\./;

/** Whether a connection was refused because of its address. */
export function isRefusal({ code, message }: NodeJS.ErrnoException): boolean {
  return code === REFUSED || REFUSED_BY_AGENT.test(message);
}

/** Whether the host of a URL is an address of IPv6 that is not public. */
export function isAddressInside(hostname: string): boolean {
  return hostname.startsWith('[') && isInside(hostname.slice(1));
}

/**
 * Returns an agent that connects to public addresses only. It checks addresses at each connection,
 * after the lookup, so a name cannot change in between.
 */
export function publicAgent(options: AgentOptions): Agent {
  return new RequestFilteringHttpsAgent({ ...options, lookup: lookUp });
}

/**
 * Looks a name up with queries of our own. The system's lookup uses threads that password hashing
 * also needs, and a slow name server would occupy them.
 */
const lookUp: LookupFunction = (hostname, { all }, done) => {
  void Promise.allSettled([resolve4(hostname), resolve6(hostname)]).then(([v4, v6]) => {
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    const [first] = addresses;
    if (addresses.some(({ address, family }) => family === 6 && isInside(address))) {
      const refusal = Object.assign(new Error('the name has an address inside'), { code: REFUSED });
      done(refusal, all === true ? [] : '');
    } else if (first === undefined) {
      done(reasonOf([v4, v6]), all === true ? [] : '');
    } else if (all === true) {
      done(null, addresses);
    } else {
      done(null, first.address, first.family);
    }
  });
};

/** Why a name has no address. A query for an alias of such a name succeeds, without addresses. */
function reasonOf(results: PromiseSettledResult<string[]>[]): NodeJS.ErrnoException {
  const failed = results.find((result) => result.status === 'rejected');
  return (
    (failed?.reason as NodeJS.ErrnoException | undefined) ??
    Object.assign(new Error('the name has no address'), { code: NODATA, syscall: 'query' })
  );
}
