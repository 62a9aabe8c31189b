import { backendCpuSeconds, cpuSeconds, usedSince } from './cpu';
import type { Server } from './processes';

/** What some work took. CPU is in microseconds for each piece of it. */
export interface Round {
  perSecond: number;
  serverCpu: number;
  postgresCpu: number;
}

/** Measures the CPU of some work. */
export async function measured(
  server: Server,
  database: string | undefined,
  work: () => Promise<{ count: number; seconds: number }>,
): Promise<Round> {
  const serverBefore = cpuSeconds(server.pid) ?? NaN;
  const postgresBefore = backendCpuSeconds(database);
  const { count, seconds } = await work();
  const micros = (used: number) => (used / count) * 1e6;
  return {
    perSecond: count / seconds,
    serverCpu: micros((cpuSeconds(server.pid) ?? NaN) - serverBefore),
    postgresCpu: micros(usedSince(postgresBefore, backendCpuSeconds(database))),
  };
}
