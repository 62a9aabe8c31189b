import type { ServerResponse } from 'node:http';
import { Gauge } from 'prom-client';
import { whenClosed } from '../../platform/protocol/when-closed';
import { counter, labelledCounter, registry } from '../../platform/metrics/metrics.registry';

const running = new Gauge({
  name: 'exports_running',
  help: 'Exports of responses that clients of this process read at the moment.',
  registers: [registry],
});

const countEnd = labelledCounter(
  'exports_total',
  'Exports that have ended: complete, or incomplete because of an error or the client.',
  ['outcome'],
);

export const countExportedRows = counter(
  'export_rows_total',
  'Rows that were read from the database for exports.',
);

for (const outcome of ['complete', 'incomplete']) {
  countEnd({ outcome }, 0);
}

/** Counts an export, until its response has ended. */
export function measureExport(response: ServerResponse): void {
  running.inc();
  whenClosed(response, () => {
    running.dec();
    countEnd({ outcome: response.writableFinished ? 'complete' : 'incomplete' });
  });
}
