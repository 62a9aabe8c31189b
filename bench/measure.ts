import { backendCpuSeconds, cpuSeconds, usedSince } from './cpu';
import type { LoadGenerator } from './load-generator';
import type { Order, Outcome } from './load-order';

/** An outcome, with what the server and PostgreSQL did for it. */
export interface Measurement extends Outcome {
  /** Microseconds of CPU an answer took in the server, and in PostgreSQL's backends for it. */
  serverCpu: number;
  postgresCpu: number;
  /** How much of one core the load generator took; near 1, it is what was measured. */
  loadGeneratorBusy: number;
}

/** A server, by its process and its database. */
export interface Measured {
  pid: number;
  /** Absent where it is within the process. */
  database?: string;
}

/** Has the load generator do something, and watches the server meanwhile. */
export async function measure(
  load: LoadGenerator,
  { pid, database }: Measured,
  order: Order,
): Promise<Measurement> {
  const server = cpuSeconds(pid);
  const postgres = backendCpuSeconds(database);
  const outcome = await load.run(order);
  return {
    ...outcome,
    serverCpu: (((cpuSeconds(pid) ?? NaN) - (server ?? NaN)) / outcome.answers) * 1e6,
    postgresCpu: (usedSince(postgres, backendCpuSeconds(database)) / outcome.answers) * 1e6,
    loadGeneratorBusy: outcome.cpuSeconds / outcome.seconds,
  };
}
