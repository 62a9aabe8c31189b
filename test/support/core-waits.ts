import { readFileSync } from 'node:fs';

/** Milliseconds that the main thread of a process has been ready to run without a core. */
function waitOf(pid: number): number {
  const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1e6;
}

/**
 * Returns the milliseconds that some work takes, without those for which other programs kept the
 * cores from this process or from another one, whichever waited longer: both can wait at once.
 */
export async function millisecondsWithCore(
  pid: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const pids = [process.pid, pid];
  const start = performance.now();
  const before = pids.map(waitOf);
  await work();
  const waits = pids.map((each, index) => waitOf(each) - before[index]!);
  return performance.now() - start - Math.max(...waits);
}
