import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { tamper } from './tampering';

/**
 * Lets a run find no company of an earlier test: it looks at every company, so each test would take
 * longer than the one before.
 */
export const forgetCompanies = (dataSource: DataSource): Promise<unknown> =>
  tamper(dataSource, (session) => session.query('DELETE FROM event_sequence'));

/** The files of a kind in a company's folder of an archive, in the order of their parts. */
export const filesOf = (folder: string, companyId: string, kind: string): string[] =>
  readdirSync(join(folder, companyId))
    .filter((name) => name.includes(kind))
    .toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b));

/** The rows in these files. */
export const rowsOf = (folder: string, companyId: string, kind: string): any[] =>
  filesOf(folder, companyId, kind).flatMap((name) =>
    gunzipSync(readFileSync(join(folder, companyId, name)))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );

/**
 * Runs work again and again, each time interrupted one statement later, until it gets to its end.
 *
 * @param check runs after each of them
 * @returns how often it was interrupted
 */
export async function interruptions(
  dataSource: DataSource,
  work: (interrupted: DataSource) => Promise<unknown>,
  check?: () => Promise<unknown>,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const end = await work(interruptedAfter(count, dataSource)).then(() => undefined, String);
    await check?.();
    if (end === undefined) {
      return count;
    }
    expect(end).toBe('Error: interrupted');
  }
}

/** A data source that fails instead of sending its statements after the first so many. */
function interruptedAfter(statements: number, dataSource: DataSource): DataSource {
  let left = statements;
  return new Proxy(dataSource, {
    get: (target, property) => {
      const value = Reflect.get(target, property);
      if (property !== 'query') {
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (...args: [string]) => {
        left -= 1;
        if (left < 0) {
          // As if the server was shut down.
          throw Object.assign(new Error('interrupted'), { code: '57P01' });
        }
        return target.query(...args);
      };
    },
  });
}
