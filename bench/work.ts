import { backendCpuSeconds, cpuSeconds, usedSince } from './cpu';
import type { Server } from './processes';

/** What some work took. CPU is in microseconds for each piece of it. */
export interface Round {
  perSecond: number;
  serverCpu: number;
  postgresCpu: number;
}

/** Milliseconds between two polls at processes that can end before the work does. */
const LOOK_INTERVAL = 500;

/** Measures the CPU of some work. */
export async function measured(
  server: Server,
  database: string | undefined,
  work: () => Promise<{ count: number; seconds: number }>,
): Promise<Round> {
  const serverBefore = cpuSeconds(server.pid) ?? NaN;
  const postgresBefore = backendCpuSeconds(database);
  // The service closes connections that it does not use for a while.
  const postgres = new Map(postgresBefore);
  const look = () => {
    backendCpuSeconds(database).forEach((used, pid) => postgres.set(pid, used));
  };
  const looks = setInterval(look, LOOK_INTERVAL);
  const { count, seconds } = await work().finally(() => {
    clearInterval(looks);
  });
  look();
  const micros = (used: number) => (used / count) * 1e6;
  return {
    perSecond: count / seconds,
    serverCpu: micros((cpuSeconds(server.pid) ?? NaN) - serverBefore),
    postgresCpu: micros(usedSince(postgresBefore, postgres)),
  };
}
