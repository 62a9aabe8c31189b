import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Deletions } from '../../src/platform/deletion/deletions.service';

/**
 * Keeps a service from removing by itself what deleted webhooks and guardrails have left, until
 * `jest.restoreAllMocks`. Returns what removes it.
 */
export function holdDeletions(app: NestFastifyApplication): () => Promise<void> {
  const deletions = app.get(Deletions, { strict: false });
  jest.spyOn(deletions, 'removeSoon').mockReturnValue();
  jest.spyOn(deletions, 'look').mockResolvedValue();
  return () => Deletions.prototype.look.call(deletions);
}
