import { backendCpuSeconds, cpuSeconds, usedSince } from './cpu';
import type { LoadGenerator } from './load-generator';
import type { Order, Outcome } from './load-order';

/** A result, with the CPU that the server and PostgreSQL used for it. */
export interface Measurement extends Outcome {
  /** Microseconds of CPU per response, in the server and in PostgreSQL's backends. */
  serverCpu: number;
  postgresCpu: number;
  /** The load generator's share of one core. Near 1, the load generator is what was measured. */
  loadGeneratorBusy: number;
}

/** A server, by its process and its database. */
export interface Measured {
  pid: number;
  /** Absent if the process embeds the database. */
  database?: string;
}

/** Runs an order of the load generator and measures the server meanwhile. */
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
