import type { Env } from '../../platform/config/env';
import { parseUrl } from '../../platform/config/parse-url';

/** What a webhook's URL may be. */
export interface TargetRules {
  /** Also plain http, and addresses that are not public. */
  allowPrivate: boolean;
  /** Ports of a URL; undefined for every port. */
  ports?: readonly number[];
}

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

export function targetRules({ WEBHOOK_ALLOW_PRIVATE, WEBHOOK_PORTS }: Env): TargetRules {
  const ports = WEBHOOK_PORTS?.split(',').map(Number);
  return {
    allowPrivate: WEBHOOK_ALLOW_PRIVATE,
    ports: ports ?? (WEBHOOK_ALLOW_PRIVATE ? undefined : [443]),
  };
}

/** Returns why no message may be sent to a URL, whatever its host, or `undefined`. */
export function whyRefused(text: string, { allowPrivate, ports }: TargetRules): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) {
    return 'must be a valid URL';
  }
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return 'must be an https URL';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password';
  }
  const port = url.port === '' ? DEFAULT_PORT[url.protocol] : Number(url.port);
  if (ports !== undefined && !ports.includes(port ?? 0)) {
    return `must use port ${ports.join(' or ')}`;
  }
  return undefined;
}
