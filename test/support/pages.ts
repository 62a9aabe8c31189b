import type { Client } from './client';

/** Returns every page of a list, or the first ones. The path has a query already. */
export async function pagesOf(api: Client, path: string, maximum = Infinity): Promise<any[]> {
  const pages = [(await api.get(path)).data];
  while (pages.at(-1).next_cursor !== null && pages.length < maximum) {
    pages.push((await api.get(`${path}&cursor=${pages.at(-1).next_cursor}`)).data);
  }
  return pages;
}
