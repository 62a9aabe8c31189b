import type { ServerResponse } from 'node:http';
import { Counter, Gauge } from 'prom-client';
import { whenClosed } from '../http/when-closed';
import { registry } from '../metrics/metrics.registry';

const registers = [registry];

const running = new Gauge({
  name: 'exports_running',
  help: 'Exports of responses that clients of this process read at the moment.',
  registers,
});

const ended = new Counter({
  name: 'exports_total',
  help: 'Exports that have ended: complete, or incomplete because of an error or the client.',
  labelNames: ['outcome'] as const,
  registers,
});

const rows = new Counter({
  name: 'export_rows_total',
  help: 'Rows that were read from the database for exports.',
  registers,
});

for (const outcome of ['complete', 'incomplete']) {
  ended.inc({ outcome }, 0);
}

/** Counts an export, until its response has ended. */
export function measureExport(response: ServerResponse): void {
  running.inc();
  whenClosed(response, () => {
    running.dec();
    ended.inc({ outcome: response.writableFinished ? 'complete' : 'incomplete' });
  });
}

export function countExportedRows(count: number): void {
  rows.inc(count);
}
