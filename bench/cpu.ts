import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc, as on Linux on every common architecture. */
const TICKS = 100;

/** CPU seconds that a process has used so far; `undefined` if it has ended or there is no /proc. */
export function cpuSeconds(pid: number | string): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // Fields 14 and 15 of proc(5) are the time in user mode and in the kernel. Field 2, the name, may
  // contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/**
 * CPU seconds that PostgreSQL's processes for connections to a database have used so far, by
 * process. Background processes, which serve all databases, are not included.
 */
export function backendCpuSeconds(database: string | undefined): Map<string, number> {
  if (database === undefined) {
    return new Map();
  }
  const backends = processIds().filter((pid) => commandOf(pid).includes(` ${database} `));
  return new Map(backends.map((pid) => [pid, cpuSeconds(pid) ?? 0]));
}

/** The difference between two readings; connections that were closed in between are not counted. */
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

/** PostgreSQL's processes state here what they do, and for which database. */
function commandOf(pid: string): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.startsWith('postgres: ') ? command : '';
  } catch {
    // The process has ended.
    return '';
  }
}
