import { readFileSync } from 'node:fs';

/** Milliseconds that the main thread of a process has been ready to run without a core. */
function waitOf(pid: number): number {
  const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1e6;
}

/**
 * Returns the milliseconds that some work takes, without those for which other programs kept the
 * cores from this process and from another one.
 */
export async function millisecondsWithCore(
  pid: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const moment = () => performance.now() - waitOf(process.pid) - waitOf(pid);
  const before = moment();
  await work();
  return moment() - before;
}
