/**
 * Returns how a page leads to the root of the service, such as `../` for `/results/x`. Links that
 * begin with it also work behind a proxy that serves the service below a path.
 *
 * @param url the path of the page, which may have a query
 */
export function rootOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  const depth = path.split('/').length - 2;
  return depth > 0 ? '../'.repeat(depth) : './';
}
