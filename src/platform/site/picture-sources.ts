import { parseUrl } from '../config/parse-url';

/** Hosts that a policy can name. One that it cannot name is no host of a picture. */
const NAMEABLE = /^https?:\/\/[\w.-]+(?::\d+)?$/;

/** Proxies give a page's headers little room, nginx 4 kB: beyond this, only schemes are named. */
const SOURCES_MAXIMUM = 1_000;

/** What a policy names as the sources of pictures: their hosts, or schemes if that is long. */
export function pictureSources(pictures: readonly string[]): string[] {
  const urls = pictures.flatMap((url) => parseUrl(url) ?? []);
  const origins = [...new Set(urls.map(({ origin }) => origin))].filter((each) =>
    NAMEABLE.test(each),
  );
  return origins.join(' ').length > SOURCES_MAXIMUM
    ? [...new Set(urls.map(({ protocol }) => protocol))]
    : origins;
}
