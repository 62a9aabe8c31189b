import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc; what Linux has on every common architecture. */
const TICKS = 100;

/** CPU seconds a process has used so far; undefined where it has ended or there is no /proc. */
export function cpuSeconds(pid: number | string): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The 14th and 15th of proc(5), in user mode and in the kernel; the second may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/**
 * CPU seconds that PostgreSQL's processes for the connections to a database have used so far, by
 * process: what it does in the background for all databases is not among it.
 */
export function backendCpuSeconds(database: string | undefined): Map<string, number> {
  if (database === undefined) {
    return new Map();
  }
  const backends = processIds().filter((pid) => commandOf(pid).includes(` ${database} `));
  return new Map(backends.map((pid) => [pid, cpuSeconds(pid) ?? 0]));
}

/** What was used between two looks; connections that were closed meanwhile are not counted. */
export function usedSince(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): number {
  return [...now].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

/** Resident memory of a process, in MiB. */
export function residentMemory(pid: number): number {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** PostgreSQL's processes say here what they do, and for which database. */
function commandOf(pid: string): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.startsWith('postgres: ') ? command : '';
  } catch {
    // It has ended since.
    return '';
  }
}
