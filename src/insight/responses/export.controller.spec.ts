import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { newStoredId } from '../../platform/database/identifiers';
import type { Principal } from '../../platform/caller/principal';
import { registry } from '../../platform/metrics/metrics.registry';
import { ExportController } from './export.controller';
import type { ExportService } from './export.service';

const caller = { callerId: newStoredId() } as Principal;

function newReply(): FastifyReply {
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  const request = { headers: {} };
  const reply = { raw, request, headers: () => undefined, getHeader: () => undefined };
  return { ...reply, header: () => undefined } as unknown as FastifyReply;
}

async function figure(name: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? NaN;
}

describe('an export whose client has gone', () => {
  const opened = { covers: { from: 1, to: 1 }, count: 0, content: [] };

  it('takes no place, and does not count as running', async () => {
    const exports = { open: () => Promise.resolve(opened) } as unknown as ExportService;
    const controller = new ExportController(exports);
    const before = await figure('exports_running');
    for (let round = 0; round < 4; round += 1) {
      const reply = newReply();
      reply.raw.destroy();
      await controller.exportResponses(caller, { post_id: 'post_1' }, {}, reply);
    }
    expect(await figure('exports_running')).toBe(before);
  });

  it('does not count as running if it went while the export was opened', async () => {
    const reply = newReply();
    const open = () => {
      reply.raw.destroy();
      reply.raw.emit('close');
      return Promise.resolve(opened);
    };
    const controller = new ExportController({ open } as unknown as ExportService);
    const before = await figure('exports_running');
    await controller.exportResponses(caller, { post_id: 'post_1' }, {}, reply);
    expect(await figure('exports_running')).toBe(before);
  });
});
